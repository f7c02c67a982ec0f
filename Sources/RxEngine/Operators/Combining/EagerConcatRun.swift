import Synchronization

/// A merge run that runs several inner sources at a time, and emits their elements in the order of the sources.
///
/// The elements of all sources but the first are queued until the sources before have completed. A source occupies one
/// of `limit` places from its start until it has completed and its elements are emitted.
///
/// A source starts outside the drain. So a place that becomes free inside the drain is given to a queued source there,
/// and the call that leaves the drain starts that source (`due`). The run does not retain its sources' sinks, which
/// retain the run.
@usableFromInline
final class EagerConcatRun<Element>: MergeRun<Element> {
    private let limit: Int
    private let lock = Lock()
    // Guarded by the lock, each an `EagerSource`:
    /// The sources that occupy a place, in order.
    @exclusivity(unchecked) private var running = RingBuffer<AnyObject>()
    /// The sources that wait for a place.
    @exclusivity(unchecked) private var queue = RingBuffer<AnyObject>()
    /// The sources that have got a place inside the drain and have yet to be started.
    @exclusivity(unchecked) private var due = RingBuffer<AnyObject>()
    /// Whether the outer source has completed. Guarded by the lock.
    @exclusivity(unchecked) private var hasUpstreamCompleted = false
    /// Whether sources are due. Written under the lock. The thread that adds one reads it when it has left the drain,
    /// so that its own write, or that of a thread that has taken the source since, is all that it must see.
    private let hasDue = Atomic(false)

    @usableFromInline
    init(_ operation: Operator, limit: Int, into downstream: Sink<Element>) {
        self.limit = limit
        super.init(operation, into: downstream)
    }

    override func receive(_ source: Observable<Element>) {
        let source = EagerSource(source)
        let startsNow = lock.locked {
            if running.count < limit {
                appendRunning(source)
                return true
            }
            queue.append(source)
            return false
        }
        if startsNow { runAll(from: source) }
    }

    /// Called under the lock.
    private func appendRunning(_ source: EagerSource<Element>) {
        source.isFirst = running.isEmpty
        running.append(source)
    }

    /// Handles the completion of the outer source; inner sources have sinks of another type.
    override func completed(_ key: RunningSources.Key) {
        let isOver = lock.locked {
            hasUpstreamCompleted = true
            return running.isEmpty
        }
        if isOver { terminate(with: .completed) } else { sources.remove(key) }
    }

    /// Runs a source, and then queued sources as long as each one is finished during its start.
    private func runAll(from first: EagerSource<Element>) {
        var next: EagerSource<Element>? = first
        while isActive, let source = next {
            if !emitScalar(source) {
                let live = makeLive()
                guard let key = sources.add(live) else { return }
                source.observable.start(EagerSourceSink(into: self, source, key, live), live)
            }
            next = source.didStart()
        }
        disposeUnlessActive()
    }

    /// Runs a `just` or an `empty` without a subscription, if no source before it is running.
    ///
    /// - Returns: whether the source was one of these, and is finished.
    private func emitScalar(_ source: EagerSource<Element>) -> Bool {
        guard lock.locked({ running.first === source }), drain.enter() else { return false }
        let wasEmitted = source.observable.emitScalar(to: downstream)
        if wasEmitted { finish(source) }
        drain.leave()
        startDue()
        return wasEmitted
    }

    /// Starts the sources that have got a place inside the drain.
    private func startDue() {
        guard hasDue.load(ordering: .relaxed) else { return }
        var sources = RingBuffer<AnyObject>()
        lock.locked {
            swap(&due, &sources)
            hasDue.store(false, ordering: .relaxed)
        }
        while !sources.isEmpty { runAll(from: unsafeDowncast(sources.removeFirst(), to: EagerSource<Element>.self)) }
    }

    /// Handles an element of a source.
    fileprivate func next(_ element: Element, of source: EagerSource<Element>) {
        if drain.enter() {
            emit(element, of: source)
            drain.leave()
        } else {
            drain.post { self.emit(element, of: source) }
        }
        startDue()
        disposeUnlessActive()
    }

    /// Handles the completion of a source. If it was the last one, the run ends before it is disposed.
    fileprivate func completed(_ source: EagerSource<Element>, dispose: () -> Void) {
        drain.run {
            source.hasCompleted = true
            if source.isFirst { self.finish(source) }
        }
        dispose()
        startDue()
    }

    // MARK: Inside the drain

    private func emit(_ element: Element, of source: EagerSource<Element>) {
        guard isActive else { return }
        if source.isFirst { downstream.next(element) } else { source.elements.append(element) }
    }

    /// Frees the place of the first source, which has completed, and emits what the next ones have queued.
    private func finish(_ first: EagerSource<Element>) {
        var finished = first
        while isActive {
            let (next, started, isOver) = lock.locked { advance() }
            if let started { follow(finished, with: started) }
            if isOver { return terminate(with: .completed) }
            guard let next else { return }
            next.isFirst = true
            while isActive, !next.elements.isEmpty { downstream.next(next.elements.removeFirst()) }
            guard next.hasCompleted else { return }
            finished = next
        }
    }

    /// Removes the first source and gives its place to a queued one. Called under the lock.
    private func advance() -> (next: EagerSource<Element>?, started: EagerSource<Element>?, isOver: Bool) {
        _ = running.removeFirst()
        let started = queue.isEmpty ? nil : unsafeDowncast(queue.removeFirst(), to: EagerSource<Element>.self)
        if let started { appendRunning(started) }
        if running.isEmpty { return (nil, nil, hasUpstreamCompleted) }
        return (unsafeDowncast(running.first, to: EagerSource<Element>.self), started, false)
    }

    /// Lets `next` be started in the place of `finished`: outside the drain, or by the thread that is starting
    /// `finished`.
    private func follow(_ finished: EagerSource<Element>, with next: EagerSource<Element>) {
        guard finished.isFollowed(by: next) else { return }
        lock.locked {
            due.append(next)
            hasDue.store(true, ordering: .relaxed)
        }
    }
}

/// An inner source, with its queued elements.
private final class EagerSource<Element> {
    let observable: Observable<Element>
    // Used inside the drain only, apart from the first value of `isFirst`:
    /// Whether all sources before this one are finished.
    @exclusivity(unchecked) var isFirst = false
    @exclusivity(unchecked) var hasCompleted = false
    /// The elements that wait for the sources before.
    @exclusivity(unchecked) var elements = RingBuffer<Element>()

    /// The finish of this source, which names the source that follows in its place, and the return of its start. The
    /// second event starts that source, so that sources that end during their start are run in a loop.
    private let finishAndStart = Rendezvous()
    @exclusivity(unchecked) private var following: EagerSource?

    init(_ observable: Observable<Element>) {
        self.observable = observable
    }

    /// Records that this source is finished.
    ///
    /// - Returns: whether the caller starts `source`. Otherwise the thread that is starting this source does.
    func isFollowed(by source: EagerSource) -> Bool {
        following = source
        guard finishAndStart.arrive() == .second else { return false }
        // A chain of sources that follow one another would retain all of them.
        following = nil
        return true
    }

    /// Records that the start has returned.
    ///
    /// - Returns: the source for the caller to run, if this one was finished during its start.
    func didStart() -> EagerSource? {
        finishAndStart.arrive() == .second ? following.take() : nil
    }
}

/// The boundary sink of one source's chain.
private final class EagerSourceSink<Element>: Sink<Element> {
    private let run: EagerConcatRun<Element>
    private let source: EagerSource<Element>
    private let key: RunningSources.Key

    init(
        into run: EagerConcatRun<Element>, _ source: EagerSource<Element>, _ key: RunningSources.Key,
        _ live: LiveSubscription
    ) {
        self.run = run
        self.source = source
        self.key = key
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { run.next(element, of: source) }
    }

    override func error(_ error: any Error) {
        live.fail(error) { run.terminate(with: .error(error)) }
    }

    override func completed() {
        // Not `live.end(_:)`: the source is disposed before another one starts in its place.
        guard live.end() else { return }
        run.completed(source) {
            run.sources.remove(key)
            live.dispose()
        }
    }
}
