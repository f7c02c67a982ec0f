/// One run of `merge` or a similar operator: it merges the events of several inner sources.
///
/// Its drain serializes the events, whichever threads the sources are on, and blocks none of these threads. A source is
/// started outside the drain, so that downstream can stop a source whose start never returns. The run completes when
/// the last source has completed. Subclasses decide when a source starts.
@usableFromInline
class MergeRun<Element> {
    final let downstream: Sink<Element>
    /// The running sources, which are also the disposable of the run.
    @usableFromInline final let sources = RunningSources()
    final let drain = SerializedDrain()
    private let ticket: ResourceTicket

    @usableFromInline
    init(_ operation: Operator, into downstream: Sink<Element>) {
        var downstream = downstream
        ticket = ResourceTicket(running: operation, into: &downstream)
        self.downstream = downstream
    }

    /// The operator; ``Operator/custom`` without the trait `TRACE_RESOURCES`.
    final var operation: Operator { ticket.operation ?? .custom }

    /// Makes the subscription of a source.
    @usableFromInline
    final func makeLive() -> LiveSubscription { LiveSubscription(in: ticket) }

    /// Whether downstream still receives events.
    @inline(__always)
    final var isActive: Bool { downstream.live.isActive }

    /// Handles an inner source that the outer source has emitted.
    func receive(_ source: Observable<Element>) {
        if !emitScalar(source) { run(source) }
    }

    /// Handles the end of the outer or an inner source.
    final func sourceEnded(_ end: Termination, _ key: RunningSources.Key) {
        if case .completed = end { completed(key) } else { terminate(with: end) }
    }

    /// Handles the completion of the outer or an inner source. The last one completes the run.
    func completed(_ key: RunningSources.Key) {
        if sources.removeUnlessLast(key) { terminate(with: .completed) }
    }

    /// Starts a source, on the thread's trampoline if it needs one.
    final func run(_ source: Observable<Element>) {
        let live = makeLive()
        guard let key = sources.add(live) else { return }
        source.start(MergeSourceSink(into: self, key, live), live)
    }

    /// Emits the element of a `just`, or nothing for an `empty`, without a subscription.
    ///
    /// - Returns: whether the source was one of these and no other event was being delivered. Otherwise the caller
    ///   starts the source.
    final func emitScalar(_ source: Observable<Element>) -> Bool {
        guard drain.enter() else { return false }
        let wasEmitted = source.emitScalar(to: downstream)
        drain.leave()
        if wasEmitted { disposeUnlessActive() }
        return wasEmitted
    }

    /// Emits an element.
    final func next(_ element: Element) {
        if drain.enter() {
            if isActive { downstream.next(element) }
            drain.leave()
        } else {
            drain.post { if self.isActive { self.downstream.next(element) } }
        }
        disposeUnlessActive()
    }

    /// Delivers the end of the run to downstream, and disposes the sources that are still running.
    final func terminate(with end: Termination) {
        if drain.enter() {
            terminateInside(with: end)
            drain.leave()
        } else {
            drain.post { self.terminateInside(with: end) }
        }
    }

    private final func terminateInside(with end: Termination) {
        if isActive { downstream.terminate(with: end) } else { Hooks.dropped(end) }
        sources.dispose()
    }

    /// Disposes the sources if downstream receives no more events. Downstream disposes them itself, but not during its
    /// own subscribe call, when it has no disposable yet.
    @inline(__always)
    final func disposeUnlessActive() {
        if !isActive { sources.dispose() }
    }
}

/// The boundary sink of one source's chain.
final class MergeSourceSink<Element>: BoundarySink<Element> {
    private let mergeRun: MergeRun<Element>
    private let key: RunningSources.Key

    init(into mergeRun: MergeRun<Element>, _ key: RunningSources.Key, _ live: LiveSubscription) {
        self.mergeRun = mergeRun
        self.key = key
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { mergeRun.next(element) }
    }

    override func ended(_ end: Termination) {
        mergeRun.sourceEnded(end, key)
    }
}
