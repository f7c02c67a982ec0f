extension ObservableType {
    /// Emits the elements in windows: sequences that complete after `count` elements or after `timeSpan`.
    ///
    ///     source                            --1-2-3-4-------5-|
    ///     window(timeSpan: 6, count: 3)     a-----b-----c-----|
    ///     a                                 --1-2-3|
    ///     b                                       --4---|
    ///
    /// Emits the first window inside `subscribe`, and each further one right after the previous window has completed. A
    /// window buffers nothing: elements that arrive while it has no subscriber are lost.
    ///
    /// Completes and fails with the source; the current window ends in the same way before. The source stays subscribed
    /// as long as any window is, even if the sequence of windows was disposed.
    ///
    /// The source's thread delivers elements and windows that follow a full one, `scheduler` the windows that follow
    /// `timeSpan`. Two deliveries never overlap.
    ///
    /// - Parameters:
    ///   - timeSpan: the longest duration of a window.
    ///   - count: the number of elements in a full window.
    ///   - scheduler: measures `timeSpan`.
    @inlinable
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        let source = asObservable()
        return .source(.window) { WindowSink(to: $0, timeSpan, count, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class WindowSink<Element>: CountdownSink<Element, Observable<Element>>, @unchecked Sendable {
    private let count: Int
    @exclusivity(unchecked) private var filled = 0
    @exclusivity(unchecked) private var window = PublishSubject<Element>()
    /// Disposes the source when neither the sequence of windows nor any window is subscribed to.
    @exclusivity(unchecked) private var refCount: RefCountDisposable?

    @usableFromInline
    init(
        to downstream: Sink<Observable<Element>>, _ timeSpan: RxTimeInterval, _ count: Int,
        on scheduler: any SchedulerType
    ) {
        self.count = count
        super.init(.window, to: downstream, span: timeSpan, on: scheduler)
    }

    @usableFromInline
    override func start(_ source: Observable<Element>) -> any Disposable {
        let refCount = RefCountDisposable(disposable: disposable)
        self.refCount = refCount
        emitWindow()
        guard isActive else { return refCount }
        restart()
        _ = super.start(source)
        return refCount
    }

    override var isActive: Bool { super.isActive || refCount?.isRetained == true }

    override func receive(_ element: Element) {
        window.onNext(element)
        filled += 1
        if filled == count { spanExpired() }
    }

    override func spanExpired() {
        filled = 0
        window.on(.completed)
        window = PublishSubject()
        emitWindow()
        restart()
    }

    override func end(_ end: Termination) {
        window.on(Event(end))
        if downstream.live.isActive { downstream.terminate(with: end) }
    }

    private func emitWindow() {
        guard downstream.live.isActive, let refCount else { return }
        downstream.next(window.retaining(refCount))
    }
}

extension PublishSubject {
    /// The subject, each subscription to which retains `refCount`.
    @usableFromInline
    func retaining(_ refCount: RefCountDisposable) -> Observable<Element> {
        .source(onTrampoline: false) { sink in
            let handle = refCount.retain()
            return Disposables.create(handle, self.run(sink))
        }
    }
}
