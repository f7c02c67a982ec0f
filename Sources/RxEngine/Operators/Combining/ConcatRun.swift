import Synchronization

/// A run of sources one after the other into one sink, for `concat`, `catch`, `retry` and their like.
///
/// If a source is such an operator itself, directly or in the tail run of another observable
/// (``Observable/tailRun(_:)``), this run takes over the sources of that operator. So however deep such operators are
/// nested, there is one run, and an element passes one sink. The sources that follow are on a stack of frames, and a
/// loop starts them: neither the thread's stack nor the chain of sinks grows with the number of sources.
class AnyConcatRun {
    /// The sources that follow in this run, or in a nested run that it has taken over.
    fileprivate struct Frame {
        let nextSource: NextSource
        /// The key of the disposable that is disposed when `nextSource` returns no more sources.
        let keptKey: DisposableList.Key?
        /// The account that the sources of `nextSource` are charged to.
        let account: Resources.Account?
    }

    private let downstream: AnySink
    // Safe although marked unsafe: downstream owns it.
    private unowned(unsafe) let live: LiveSubscription
    fileprivate let handle = ConcatRunHandle()
    private let ticket: ResourceTicket

    /// The requests to start a source.
    private let starts = WorkCount()
    /// The thread on whose trampoline a nested run that was taken over is being started.
    private let startingNested = Atomic<UnsafeRawPointer?>(nil)
    /// The number of frames outside of that nested run. Used only by that thread.
    @exclusivity(unchecked) private var outerFrames = 0
    // Below: used by the thread that runs the loop; while the loop starts a source, only by that source, and by the
    // source again when it ends.
    /// The sources that follow; the innermost run is last.
    @exclusivity(unchecked) private var frames: [Frame] = []
    /// The source to start next.
    @exclusivity(unchecked) private var sourceToStart: AnyObject?
    /// The number of frames outside of the run of the next source.
    @exclusivity(unchecked) private var depth = 0
    /// The account that the next source is charged to.
    @exclusivity(unchecked) private var account: Resources.Account?
    /// The keys of disposables of nested runs that have ended; they are disposed before the next source starts.
    @exclusivity(unchecked) private var keysToDispose: [DisposableList.Key] = []
    /// How the previous source has ended.
    @exclusivity(unchecked) private var end = Termination.completed

    fileprivate init(_ operation: Operator, into downstream: AnySink, _ live: LiveSubscription) {
        ticket = ResourceTicket(running: operation, under: downstream.record)
        self.downstream = downstream
        self.live = live
    }

    /// Starts a source, whose elements have the type of the run's elements.
    fileprivate func start(_ source: AnyObject, _ live: LiveSubscription) {
        preconditionFailure("\(type(of: self)) does not override start(_:_:)")
    }

    /// Starts the run with `first` or, if that is `nil`, with the first source of `nextSource`.
    ///
    /// - Returns: the disposable that stops the run.
    final func start(_ first: AnyObject?, _ nextSource: NextSource) -> any Disposable {
        push(InlinedRun(first: first, rest: nextSource), keptKey: nil)
        return handle
    }

    /// Takes over the nested run that `source` is, while `source` is being started.
    fileprivate final func takeOver(_ run: InlinedRun, from source: any Disposable) {
        // A disposable without effect is not kept: a source that ends with itself would accumulate them.
        push(run, keptKey: source is NopDisposable ? nil : handle.keepRunning())
    }

    private final func push(_ run: InlinedRun, keptKey: DisposableList.Key?) {
        depth = frames.count
        account = run.account
        sourceToStart = run.first
        end = .completed
        if keptKey != nil || !run.rest.isExhausted {
            frames.append(Frame(nextSource: run.rest, keptKey: keptKey, account: run.account))
        }
        if sourceToStart == nil { advance() } else { requestStart() }
    }

    /// Handles the end of the source that was running.
    fileprivate final func ended(_ end: Termination) {
        self.end = end
        advance()
    }

    /// Starts the source that follows, or ends the run if there is none.
    private final func advance() {
        guard live.isActive else { return handle.dispose() }
        sourceToStart = takeNextSource()
        guard live.isActive else { return handle.dispose() }
        if sourceToStart == nil { terminate() } else { requestStart() }
    }

    private final func takeNextSource() -> AnyObject? {
        while let last = frames.last {
            let next = last.nextSource.source(after: &end)
            depth = frames.count - 1
            if next == nil || last.keptKey == nil && last.nextSource.isExhausted { frames.removeLast() }
            account = last.account
            if let next { return next }
            if let keptKey = last.keptKey { keysToDispose.append(keptKey) }
        }
        return nil
    }

    private final func terminate() {
        downstream.terminate(with: end)
        handle.dispose()
    }

    fileprivate final func disposeUnlessActive() {
        if !live.isActive { handle.dispose() }
    }

    /// Requests the start of the next source. The loop that is running starts it, or this call runs the loop. While
    /// this thread starts a nested run, the source is started as a part of that start.
    private final func requestStart() {
        if starts.run({ startNext() }) { return }
        if startingNested.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current) { startNestedSources() }
    }

    /// Starts a source on the trampoline, inside the loop. If it is a nested run that is taken over, the sources that
    /// it starts and that end before the trampoline is empty are part of its start, as they would be in a run of its
    /// own.
    fileprivate final func startNested(_ start: () -> Void) {
        outerFrames = frames.count
        Trampoline.enter {
            start()
            startNestedSources()
        }
        startingNested.store(nil, ordering: .relaxed)
    }

    /// Starts the requested sources of the nested run, inside the loop.
    private final func startNestedSources() {
        startingNested.store(nil, ordering: .relaxed)
        starts.runNested(while: depth >= outerFrames) { startNext() }
        startingNested.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
    }

    /// Starts the next source.
    private final func startNext() {
        guard live.isActive else { return handle.dispose() }
        let source = LiveSubscription(in: ticket)
        let (mayStart, holdsKept) = handle.replaceRunning(with: source, holdingKept: true)
        for key in keysToDispose { handle.disposeKept(key) }
        keysToDispose.removeAll()
        if mayStart, let next = sourceToStart.take() {
            if let account { account.charge { start(next, source) } } else { start(next, source) }
        }
        if holdsKept { handle.hasStarted() }
    }
}

/// A nested run that the outer run executes: its first source, if it is known, and the sources that follow.
private struct InlinedRun {
    let first: AnyObject?
    let rest: NextSource
    /// The account that all its sources are charged to, whenever they start.
    let account = ThreadState.current.pointee.account
}

/// The part of a run that depends on the type of the elements.
final class ConcatRun<Element>: AnyConcatRun {
    fileprivate let downstream: Sink<Element>
    /// Stored, because looking it up for each source would cost more than creating the sink.
    private let sinkType: ConcatSourceSink<Element>.Type

    init(_ operation: Operator, into downstream: Sink<Element>) {
        self.downstream = downstream
        sinkType = ConcatSourceSink<Element>.self
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

    private func start(_ source: Observable<Element>, _ sink: ConcatSourceSink<Element>) {
        sink.startingThread.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
        let disposable = source.tailRun(sink)
        sink.startingThread.store(nil, ordering: .relaxed)
        sink.live.attach(disposable)
        switch sink.takeOutcome() {
        case .running: break
        // Before other work runs that the source has queued on the trampoline.
        case .ended: sink.live.dispose()
        case .takenOver(let nested): takeOver(nested, from: disposable)
        }
    }
}

/// The boundary sink of one source's chain.
class ConcatSourceSink<Element>: Sink<Element> {
    private let run: ConcatRun<Element>
    /// The thread that is starting the source. Only that thread writes it, and no other thread finds its own identity
    /// here.
    fileprivate let startingThread = Atomic<UnsafeRawPointer?>(nil)
    // Below: used only by that thread.
    @exclusivity(unchecked) private final var outcome = Outcome.running
    /// Whether every observable that was run into this sink so far ends in a tail run (``Observable/endsInTailRun``).
    @exclusivity(unchecked) private final var isInTailPosition = true

    /// The state of the source at the end of its start.
    fileprivate enum Outcome {
        case running
        case ended
        /// The source is this nested run, which was taken over.
        case takenOver(InlinedRun)
    }

    required init(of run: ConcatRun<Element>, _ live: LiveSubscription) {
        self.run = run
        super.init(live)
    }

    private final var isStartingOnThisThread: Bool {
        startingThread.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current)
    }

    fileprivate final func takeOutcome() -> Outcome {
        defer { outcome = .running }
        return outcome
    }

    override func noteTailRun(endsInTailRun: Bool) {
        if isStartingOnThisThread, !endsInTailRun { isInTailPosition = false }
    }

    /// Takes over the sources of a nested run, which then needs no run of its own.
    ///
    /// This is possible only while the source is being started: an operator that runs another source later, for example
    /// on a scheduler, has to control it. And only in tail position: an operator that acts after it has run another
    /// observable, such as `multicast(_:selector:)`, which then connects, relies on that one being subscribed to.
    ///
    /// - Returns: whether the sources were taken over.
    final func takeOver(_ first: AnyObject?, _ nextSource: NextSource) -> Bool {
        guard isStartingOnThisThread, isInTailPosition, live.end() else { return false }
        outcome = .takenOver(InlinedRun(first: first, rest: nextSource))
        return true
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        run.downstream.next(element)
        run.disposeUnlessActive()
    }

    override func error(_ error: any Error) {
        end(.error(error))
    }

    override func completed() {
        end(.completed)
    }

    private final func end(_ end: Termination) {
        // Not `live.end(_:)`: the run disposes the source before it starts the next one, which may be inside `ended`.
        guard live.end() else { return Hooks.dropped(end) }
        if isStartingOnThisThread { outcome = .ended }
        run.ended(end)
    }
}
