extension ObservableType {
    /// Emits the elements in windows, sequences that complete at each element of `boundary`.
    ///
    ///     source              --1-2-----3-|
    ///     boundary            -----x--x-----
    ///     window(until:)      a----b--c---|
    ///     a                   --1-2|
    ///     b                        ---|
    ///     c                           --3-|
    ///
    /// Emits the first window inside `subscribe`, and each further one right after the previous window has completed. A
    /// window buffers nothing: elements that arrive while it has no subscriber are lost.
    ///
    /// Completes with the source, and fails with the first error of either; the current window ends in the same way
    /// before. The completion of `boundary` changes nothing. The source and `boundary` stay subscribed as long as any
    /// window is, even if the sequence of windows was disposed.
    /// Elements and the end are delivered on the source's thread, windows on the thread of `boundary`. Two deliveries
    /// never overlap.
    @inlinable
    public func window(until boundary: some ObservableType) -> Observable<Observable<Element>> {
        let (source, boundary) = (asObservable(), boundary.asObservable())
        return .source(.window) { downstream in
            let sink = WindowUntilSink(to: downstream)
            return sink.start(source, boundary, MarkSink(for: sink))
        }
    }
}

/// The boundary sink of the source's chain, which passes its elements to the current window.
///
/// The drain serializes the events of both sources.
@usableFromInline
final class WindowUntilSink<Element>: BoundarySink<Element>, MarkTarget {
    private let ticket: ResourceTicket
    private let downstream: Sink<Observable<Element>>
    private let drain = SerializedDrain()
    /// Used inside the drain only.
    @exclusivity(unchecked) private var window = PublishSubject<Element>()
    /// Disposes both sources when neither the sequence of windows nor any window is subscribed to. Set before they
    /// start.
    @exclusivity(unchecked) private var refCount: RefCountDisposable?

    @usableFromInline
    init(to downstream: Sink<Observable<Element>>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .window, into: &downstream)
        self.downstream = downstream
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func start<Mark>(
        _ source: Observable<Element>, _ boundary: Observable<Mark>, _ mark: MarkSink<Mark>
    ) -> any Disposable {
        let refCount = RefCountDisposable(disposable: Disposables.create(mark.live, live))
        self.refCount = refCount
        drain.run { self.emitWindow() }
        guard isActive else { return refCount }
        mark.live.attach(boundary.run(mark))
        guard isActive else { return refCount }
        live.attach(source.run(self))
        return refCount
    }

    @usableFromInline
    var isActive: Bool { downstream.live.isActive || refCount?.isRetained == true }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        if drain.enter() {
            window.onNext(element)
            drain.leave()
        } else {
            drain.post { self.window.onNext(element) }
        }
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        if !isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        drain.run { self.terminateWindows(with: end) }
    }

    @usableFromInline
    func reachedMark() {
        drain.run { [self] in
            window.onCompleted()
            window = PublishSubject()
            emitWindow()
        }
    }

    @usableFromInline
    func marksFailed(_ error: any Error) {
        drain.run { [self] in
            // An end of the source that was delivered before has ended the run; one that follows is ignored.
            guard live.end() else { return }
            terminateWindows(with: .error(error))
            live.dispose()
        }
    }

    /// Called inside the drain.
    private func terminateWindows(with end: Termination) {
        window.on(Event(end))
        if downstream.live.isActive { downstream.terminate(with: end) }
    }

    /// Called inside the drain.
    private func emitWindow() {
        guard downstream.live.isActive, let refCount else { return }
        downstream.next(window.retaining(refCount))
    }
}
