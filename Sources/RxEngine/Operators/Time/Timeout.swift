extension ObservableType {
    /// The same sequence, but an error ``RxError/timeout`` when no element comes for `dueTime`, counted from
    /// subscribing and then from each element.
    ///
    ///     source        --1-2-----3--|
    ///     timeout(4)    --1-2---X
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, nil, on: scheduler).start(source) }
    }

    /// The same sequence, but `other` when no element comes for `dueTime`, counted from subscribing and then from each
    /// element.
    ///
    ///     source                  --1-2-----3--|
    ///     other                           a-b|
    ///     timeout(4, other:)      --1-2---a-b|
    ///
    /// An element that comes just when the time is up, but before its timer, is in time.
    @inlinable
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
    ) -> Observable<Element> where Source.Element == Element {
        let (source, other) = (asObservable(), other.asObservable())
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, other, on: scheduler).start(source) }
    }

    /// The same sequence, but `other` when no element comes for `dueTime`, where the type is left to the compiler:
    /// `timeout(.seconds(1), other: .just(0), scheduler: scheduler)`.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: Observable<Element>, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let source = asObservable()
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, other, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class TimeoutSink<Element>: CountdownSink<Element, Element>, @unchecked Sendable {
    /// `nil` where it fails.
    private let other: Observable<Element>?
    private var isOver = false

    @usableFromInline
    init(
        to downstream: Sink<Element>, _ dueTime: RxTimeInterval, _ other: Observable<Element>?,
        on scheduler: any SchedulerType
    ) {
        self.other = other
        super.init(.timeout, to: downstream, span: dueTime, on: scheduler)
    }

    @usableFromInline
    override func start(_ source: Observable<Element>) -> any Disposable {
        restart()
        return super.start(source)
    }

    override func take(_ element: Element) {
        guard !isOver, downstream.live.isActive else { return }
        downstream.next(element)
        if downstream.live.isActive { restart() }
    }

    override func end(_ end: Termination) {
        if !isOver { super.end(end) }
    }

    /// The other sequence runs inside the gate: nobody else has anything to say any more. As any error, that of the
    /// time is emitted before the source is freed.
    override func ranOut() {
        guard downstream.live.isActive, live.end() else { return }
        isOver = true
        if other == nil { downstream.error(RxError.timeout) }
        live.dispose()
        if let other { goOn(with: other) }
    }
}
