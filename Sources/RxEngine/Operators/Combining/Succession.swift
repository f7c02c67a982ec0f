import Synchronization

/// A run of sources that follow one another into one sink.
///
/// Where a source is itself such an operator, alone or behind one that passes its sink on, the run takes over what that
/// would do: however deep they are nested, there is one run, and an element takes one step. What is to follow is a
/// list, and going on is a loop: neither the stack nor the chain of sinks grows with the number of sources.
class AnySuccession {
    fileprivate struct Pending {
        let sequel: Sequel
        /// What is to be disposed when the sequel is over.
        let remains: DisposableList.Key?
        /// What the sources that the sequel starts are charged to.
        let account: Resources.Account?
    }

    private let downstream: AnySink
    // Unsafe in name only: it is downstream's.
    private unowned(unsafe) let live: LiveSubscription
    fileprivate let handle = SuccessionHandle()
    private let ticket: ResourceTicket

    /// How many times there was a source to start that has not been started.
    private let turns = Atomic(0)
    /// The thread on whose trampoline a nested run that was taken over is being started.
    private let startingNested = Atomic<UnsafeRawPointer?>(nil)
    /// How many runs are around that one. Touched by that thread only.
    @exclusivity(unchecked) private var outerRuns = 0
    // Below: touched by whoever is in the loop, while that starts a source by nobody but the source, and by that again
    // when it ends.
    /// What is to follow, the innermost last.
    @exclusivity(unchecked) private var pending: [Pending] = []
    /// The source to start next.
    @exclusivity(unchecked) private var upNext: AnyObject?
    /// How many runs are around the one that the next source belongs to.
    @exclusivity(unchecked) private var depth = 0
    /// What the next source is charged to.
    @exclusivity(unchecked) private var account: Resources.Account?
    /// What nested runs that are over have left, to be disposed before the next source is started.
    @exclusivity(unchecked) private var over: [DisposableList.Key] = []
    /// How the source that was running ended.
    @exclusivity(unchecked) private var end = Termination.completed

    fileprivate init(_ operation: Operator, into downstream: AnySink, _ live: LiveSubscription) {
        ticket = ResourceTicket(running: operation)
        self.downstream = downstream
        self.live = live
    }

    /// Starts a source of the run's type of element.
    fileprivate func start(_ source: AnyObject, _ live: LiveSubscription) {
        preconditionFailure("\(type(of: self)) does not override start(_:_:)")
    }

    /// Starts with `first`, or with what the sequel says.
    ///
    /// - Returns: what stops the run.
    final func start(_ first: AnyObject?, _ sequel: Sequel) -> any Disposable {
        push(TakenOver(first: first, rest: sequel), remains: nil)
        return handle
    }

    /// The source that is being started left this to be done in its place.
    fileprivate final func takeOver(_ sequel: TakenOver, from source: any Disposable) {
        // What has nothing to free need not be kept, or a source that ends with itself would pile it up.
        push(sequel, remains: source is NopDisposable ? nil : handle.keepRunning())
    }

    private final func push(_ sequel: TakenOver, remains: DisposableList.Key?) {
        depth = pending.count
        account = sequel.account
        upNext = sequel.first
        end = .completed
        if remains != nil || !sequel.rest.isSpent {
            pending.append(Pending(sequel: sequel.rest, remains: remains, account: sequel.account))
        }
        if upNext == nil { findNext() } else { goOn() }
    }

    /// The source that was running has ended.
    fileprivate final func ended(_ end: Termination) {
        self.end = end
        findNext()
    }

    /// Goes on with what follows the source that has ended, or passes its end on.
    private final func findNext() {
        guard live.isActive else { return handle.dispose() }
        upNext = nextSource()
        guard live.isActive else { return handle.dispose() }
        if upNext == nil { stop() } else { goOn() }
    }

    private final func nextSource() -> AnyObject? {
        while let last = pending.last {
            let next = last.sequel.source(after: &end)
            depth = pending.count - 1
            if next == nil || last.remains == nil && last.sequel.isSpent { pending.removeLast() }
            account = last.account
            if let next { return next }
            if let remains = last.remains { over.append(remains) }
        }
        return nil
    }

    private final func stop() {
        downstream.stop(with: end)
        handle.dispose()
    }

    fileprivate final func stopUnlessWanted() {
        if !live.isActive { handle.dispose() }
    }

    private final func goOn() {
        if turns.add(1, ordering: .acquiringAndReleasing).oldValue == 0 {
            repeat { turn() } while turns.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
        } else if startingNested.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current) {
            goOnWithNested()
        }
    }

    /// Starts a source inside a turn and on the trampoline. Where that is a run that is taken over, what it starts and
    /// ends before the trampoline has run dry is part of its start, as it would be of a run of its own.
    fileprivate final func startNested(_ start: () -> Void) {
        outerRuns = pending.count
        Trampoline.enter {
            start()
            goOnWithNested()
        }
        startingNested.store(nil, ordering: .relaxed)
    }

    private final func goOnWithNested() {
        startingNested.store(nil, ordering: .relaxed)
        while turns.load(ordering: .acquiring) > 1, depth >= outerRuns {
            turn()
            turns.subtract(1, ordering: .acquiringAndReleasing)
        }
        startingNested.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
    }

    /// Starts the next source.
    private final func turn() {
        guard live.isActive else { return handle.dispose() }
        let source = LiveSubscription()
        let (mayStart, holdsRemains) = handle.replaceRunning(with: source, holdingRemains: true)
        for key in over { handle.disposeRemains(key) }
        over.removeAll()
        if mayStart, let next = upNext.take() {
            if let account { account.charge { start(next, source) } } else { start(next, source) }
        }
        if holdsRemains { handle.hasStarted() }
    }
}

/// A nested run that the run around it carries out: its first source, where that is known, and what follows.
private struct TakenOver {
    let first: AnyObject?
    let rest: Sequel
    /// What everything that it starts is charged to, at once and later.
    let account = ThreadState.current.pointee.account
}

/// What of a succession depends on the type of element.
final class Succession<Element>: AnySuccession {
    fileprivate let downstream: Sink<Element>
    /// Kept, as looking it up for each source would cost more than making the sink.
    private let sinkType: SuccessionSink<Element>.Type

    init(_ operation: Operator, into downstream: Sink<Element>) {
        self.downstream = downstream
        sinkType = SuccessionSink<Element>.self
        super.init(operation, into: downstream, downstream.live)
    }

    fileprivate override func start(_ source: AnyObject, _ live: LiveSubscription) {
        let source = unsafeDowncast(source, to: Observable<Element>.self)
        let sink = sinkType.init(of: self, live)
        if source.startsOnTrampoline, !Trampoline.isEntered {
            startNested { start(source, sink) }
        } else {
            start(source, sink)
        }
    }

    private func start(_ source: Observable<Element>, _ sink: SuccessionSink<Element>) {
        sink.starting.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
        let stopping = source.runLast(sink)
        sink.starting.store(nil, ordering: .relaxed)
        sink.live.attach(stopping)
        if let sequel = sink.takenOver.take() { return takeOver(sequel, from: stopping) }
        // What has ended inside its start is freed before anything else that it has put off runs.
        if sink.hasEndedInsideItsStart { sink.live.dispose() }
    }
}

/// The end of one source's chain.
class SuccessionSink<Element>: Sink<Element> {
    private let succession: Succession<Element>
    /// The thread that is starting the source; only that writes it, and no other can mistake it for itself.
    fileprivate let starting = Atomic<UnsafeRawPointer?>(nil)
    // Below: touched by that thread only.
    @exclusivity(unchecked) fileprivate final var takenOver: TakenOver?
    /// Whether all that the source was run through so far has done nothing after running the next.
    @exclusivity(unchecked) private final var isRunLast = true
    @exclusivity(unchecked) fileprivate final var hasEndedInsideItsStart = false

    required init(of succession: Succession<Element>, _ live: LiveSubscription) {
        self.succession = succession
        super.init(live)
    }

    private final var isStartingHere: Bool {
        starting.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current)
    }

    override func isHandedOn(to goesOn: Bool) {
        if isStartingHere, !goesOn { isRunLast = false }
    }

    /// Takes over what would follow in a run of its own. That must be while the source is being started: one that
    /// starts another later, on a scheduler say, has its reasons, and keeps it. And nothing may come after: whoever
    /// runs a source and then does something else relies on that it has been subscribed to.
    ///
    /// - Returns: whether it did.
    final func takeOver(_ first: AnyObject?, _ sequel: Sequel) -> Bool {
        guard isStartingHere, isRunLast, live.end() else { return false }
        takenOver = TakenOver(first: first, rest: sequel)
        return true
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        succession.downstream.next(element)
        succession.stopUnlessWanted()
    }

    override func error(_ error: any Error) {
        end(.error(error))
    }

    override func completed() {
        end(.completed)
    }

    private final func end(_ end: Termination) {
        guard live.end() else { return }
        if isStartingHere { hasEndedInsideItsStart = true }
        succession.ended(end)
    }
}
