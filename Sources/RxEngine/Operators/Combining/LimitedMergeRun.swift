/// A merge run that runs at most `limit` inner sources at a time and queues the others.
///
/// Sources that end during their start are run in a loop, so that the stack does not grow with their number.
@usableFromInline
final class LimitedMergeRun<Element>: MergeRun<Element> {
    private let limit: Int
    private let lock = Lock()
    @exclusivity(unchecked) private var runningCount = 0
    @exclusivity(unchecked) private var queue = RingBuffer<AnyObject>()
    /// Whether the outer source has completed.
    @exclusivity(unchecked) private var hasUpstreamCompleted = false

    @usableFromInline
    init(_ operation: Operator, limit: Int, into downstream: Sink<Element>) {
        self.limit = limit
        super.init(operation, into: downstream)
    }

    override func receive(_ source: Observable<Element>) {
        let startsNow = lock.locked {
            if runningCount < limit {
                runningCount += 1
                return true
            }
            queue.append(source)
            return false
        }
        if startsNow { runAll(from: source) }
    }

    /// Handles the completion of the outer source; inner sources have sinks of another type.
    override func completed(_ key: RunningSources.Key) {
        let isOver = lock.locked {
            hasUpstreamCompleted = true
            return runningCount == 0
        }
        if isOver { terminate(with: .completed) } else { sources.remove(key) }
    }

    /// Runs a source, and then queued sources as long as each one ends during its start.
    fileprivate func runAll(from first: Observable<Element>) {
        var next: Observable<Element>? = first
        while isActive, let source = next {
            if emitScalar(source) {
                next = self.next(after: nil)
            } else {
                next = start(source)
            }
        }
    }

    /// Starts a source.
    ///
    /// - Returns: the source to run next, if this one ended during its start.
    private func start(_ source: Observable<Element>) -> Observable<Element>? {
        let live = makeLive()
        guard let key = sources.add(live) else { return nil }
        let sink = LimitedSourceSink(into: self, key, live)
        source.start(sink, live)
        return sink.didStart()
    }

    /// Handles the completion of a source. If others follow, disposes it, before the next one starts; if it was the
    /// last, the run ends first.
    ///
    /// - Returns: the queued source to start in its place.
    fileprivate func next(after sink: LimitedSourceSink<Element>?) -> Observable<Element>? {
        let (next, isOver) = lock.locked { () -> (AnyObject?, Bool) in
            if !queue.isEmpty { return (queue.removeFirst(), false) }
            runningCount -= 1
            return (nil, hasUpstreamCompleted && runningCount == 0)
        }
        if isOver { terminate(with: .completed) } else { sink?.disposeSource() }
        return next.map { unsafeDowncast($0, to: Observable<Element>.self) }
    }
}

/// The boundary sink of one source's chain.
private final class LimitedSourceSink<Element>: Sink<Element> {
    private let mergeRun: LimitedMergeRun<Element>
    private let key: RunningSources.Key
    /// The end of the source, and the return of its start. The thread of the second event runs `following`:
    ///
    /// | thread that starts the source | thread that ends it                    | runs `following`        |
    /// |-------------------------------|----------------------------------------|-------------------------|
    /// |                               | writes `following`; first              |                         |
    /// | second                        |                                        | the thread that started |
    ///
    /// | thread that starts the source | thread that ends it                    | runs `following`        |
    /// |-------------------------------|----------------------------------------|-------------------------|
    /// | first                         |                                        |                         |
    /// |                               | writes `following`; second             | the thread that ended   |
    private let endAndStart = Rendezvous()
    /// The source to run when both have happened.
    @exclusivity(unchecked) private var following: Observable<Element>?

    init(into mergeRun: LimitedMergeRun<Element>, _ key: RunningSources.Key, _ live: LiveSubscription) {
        self.mergeRun = mergeRun
        self.key = key
        super.init(live)
    }

    /// Records that the start has returned.
    ///
    /// - Returns: the source for the caller to run, if this one ended during its start.
    func didStart() -> Observable<Element>? {
        endAndStart.arrive() == .second ? following : nil
    }

    override func next(_ element: Element) {
        if live.isActive { mergeRun.next(element) }
    }

    override func error(_ error: any Error) {
        live.fail(error) { mergeRun.terminate(with: .error(error)) }
    }

    override func completed() {
        // Not `live.end(_:)`: `next(after:)` disposes the source before another one starts, and the last one after the
        // end of the run, which may be posted to the drain.
        guard live.end() else { return }
        following = mergeRun.next(after: self)
        if endAndStart.arrive() == .second, let following { mergeRun.runAll(from: following) }
    }

    /// Disposes the source, which has ended.
    func disposeSource() {
        mergeRun.sources.remove(key)
        live.dispose()
    }
}
