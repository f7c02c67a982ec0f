extension ObservableType {
    /// Releases the observer when the sequence ends or is disposed, even if the source still retains its own observer.
    ///
    ///     source                  --1--2--|
    ///     onTerminateDetach()     --1--2--|
    ///
    /// A run is released by its source. Sources of the engine release it at the end and at disposal; a source made by
    /// ``create(_:)`` from a callback that is never released would retain the chain, the observer and all that its
    /// closures capture. Put this operator behind such a source: what it retains then ends here.
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func onTerminateDetach() -> Observable<Element> {
        let source = asObservable()
        return .source(.onTerminateDetach) { DetachSink(to: $0).start(source) }
    }
}

/// A boundary sink that retains its downstream only while the run is active.
@usableFromInline
final class DetachSink<Element>: BoundarySink<Element> {
    private let ticket: ResourceTicket
    private let lock = Lock()
    /// Guarded by the lock, as any thread may dispose the run.
    private var downstream: Sink<Element>?

    @usableFromInline
    init(to downstream: Sink<Element>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .onTerminateDetach, into: &downstream)
        self.downstream = downstream
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func start(_ source: Observable<Element>) -> any Disposable {
        live.attach(source.run(self))
        return Detachment(live: live, sink: WeakObject(self))
    }

    /// Disposes the source and detaches the downstream. It does not retain the sink, which would retain the observer.
    private struct Detachment: Disposable {
        let live: LiveSubscription
        let sink: WeakObject<DetachSink>

        func dispose() {
            live.dispose()
            _ = sink.value?.detach()
        }
    }

    private func detach() -> Sink<Element>? {
        lock.locked { downstream.take() }
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive, let downstream = lock.locked({ downstream }) else { return }
        downstream.next(element)
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        if !downstream.live.isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        guard let downstream = detach(), downstream.live.isActive else { return }
        downstream.terminate(with: end)
    }
}
