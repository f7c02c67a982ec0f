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

    /// How many times there was a reason to go on that have not been seen to.
    private let turns = Atomic(0)
    // Below: touched by whoever is in the loop, and while that starts a source, by nobody but the source.
    /// What is to follow, the innermost last.
    @exclusivity(unchecked) private var pending: [Pending] = []
    // Below: written by whoever gives a reason to go on, read by the loop.
    /// The source to run next.
    @exclusivity(unchecked) private var upNext: AnyObject?
    /// What that source is charged to.
    @exclusivity(unchecked) private var account: Resources.Account?
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
        goOn()
        return handle
    }

    /// The source that is being started left this to be done in its place.
    fileprivate final func takeOver(_ sequel: TakenOver, from source: any Disposable) {
        // What has nothing to free need not be kept, or a source that ends with itself would pile it up.
        push(sequel, remains: source is NopDisposable ? nil : handle.keepRunning())
        goOn()
    }

    private final func push(_ sequel: TakenOver, remains: DisposableList.Key?) {
        upNext = sequel.first
        account = sequel.account
        end = .completed
        if remains == nil, sequel.rest.isSpent { return }
        pending.append(Pending(sequel: sequel.rest, remains: remains, account: sequel.account))
    }

    /// The source that was running has ended.
    fileprivate final func ended(_ end: Termination) {
        self.end = end
        if pending.isEmpty { stop() } else { goOn() }
    }

    private final func stop() {
        downstream.stop(with: end)
        handle.dispose()
    }

    fileprivate final func stopUnlessWanted() {
        if !live.isActive { handle.dispose() }
    }

    private final func goOn() {
        guard turns.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { turn() } while turns.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }

    private final func turn() {
        guard live.isActive else { return handle.dispose() }
        var over: [DisposableList.Key] = []
        let next = nextSource(&over)
        guard live.isActive else { return handle.dispose() }
        guard let next else { return stop() }
        for key in over { handle.disposeRemains(key) }
        let source = LiveSubscription()
        guard handle.replaceRunning(with: source) else { return }
        if let account { account.charge { start(next, source) } } else { start(next, source) }
    }

    private final func nextSource(_ over: inout [DisposableList.Key]) -> AnyObject? {
        if let next = upNext.take() { return next }
        while let last = pending.last {
            let next = last.sequel.source(after: &end)
            if next == nil || last.remains == nil && last.sequel.isSpent { pending.removeLast() }
            account = last.account
            if let next { return next }
            if let remains = last.remains { over.append(remains) }
        }
        return nil
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
        if source.startsOnTrampoline { Trampoline.enter { start(source, sink) } } else { start(source, sink) }
    }

    private func start(_ source: Observable<Element>, _ sink: SuccessionSink<Element>) {
        sink.starting.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
        let stopping = source.run(sink)
        sink.starting.store(nil, ordering: .relaxed)
        sink.live.attach(stopping)
        if let sequel = sink.takenOver.take() { takeOver(sequel, from: stopping) }
    }
}

/// The end of one source's chain.
class SuccessionSink<Element>: Sink<Element> {
    private let succession: Succession<Element>
    /// The thread that is starting the source; only that writes it, and no other can mistake it for itself.
    fileprivate let starting = Atomic<UnsafeRawPointer?>(nil)
    /// Touched by that thread only.
    @exclusivity(unchecked) fileprivate final var takenOver: TakenOver?

    required init(of succession: Succession<Element>, _ live: LiveSubscription) {
        self.succession = succession
        super.init(live)
    }

    /// Takes over what would follow in a run of its own. That must be while the source is being started: one that
    /// starts another later, on a scheduler say, has its reasons, and keeps it.
    ///
    /// - Returns: whether it did.
    final func takeOver(_ first: AnyObject?, _ sequel: Sequel) -> Bool {
        guard starting.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current), live.end() else {
            return false
        }
        takenOver = TakenOver(first: first, rest: sequel)
        return true
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        succession.downstream.next(element)
        succession.stopUnlessWanted()
    }

    override func error(_ error: any Error) {
        if live.end() { succession.ended(.error(error)) }
    }

    override func completed() {
        if live.end() { succession.ended(.completed) }
    }
}
