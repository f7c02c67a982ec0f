extension ObservableType {
    /// Fails with ``RxError/timeout`` if no element arrives for `dueTime` after the subscription or after an element.
    ///
    ///     source        --1-2-----3--|
    ///     timeout(4)    --1-2---X
    ///
    /// The time starts again when the observer has returned from an element. The result completes and fails with the
    /// source. The observer receives the timeout on `scheduler`, and other events on the threads on which the source
    /// emits them.
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, nil, on: scheduler).start(source) }
    }

    /// Switches to `other` if no element arrives for `dueTime` after the subscription or after an element.
    ///
    ///     source                  --1-2-----3--|
    ///     other                           a-b|
    ///     timeout(4, other:)      --1-2---a-b|
    ///
    /// At the timeout, the source is disposed and `other` is subscribed to on `scheduler`; from then on, the result is
    /// `other`. Before, it completes and fails with the source. An element that arrives exactly at the end of
    /// `dueTime`, but before the timer fires, is in time.
    /// Elements of `other` arrive on its own threads.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: some ObservableConvertibleType<Element>, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let (source, other) = (asObservable(), other.asObservable())
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, other, on: scheduler).start(source) }
    }

    /// Switches to `other` if no element arrives for `dueTime`; the compiler infers the type of `other`.
    ///
    ///     numbers.timeout(.seconds(1), other: .just(0), scheduler: scheduler)
    ///
    /// Before the timeout, the result completes and fails with this sequence, on its threads; from then on it is
    /// `other`, which is subscribed to on `scheduler`.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: Observable<Element>, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let source = asObservable()
        return .source(.timeout) { TimeoutSink(to: $0, dueTime, other, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
/// Passes elements on and restarts the countdown after each one.
@usableFromInline
final class TimeoutSink<Element>: CountdownSink<Element, Element>, @unchecked Sendable {
    /// The replacement; `nil` if the timeout is an error.
    private let other: Observable<Element>?
    private var hasTimedOut = false

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

    override func receive(_ element: Element) {
        guard !hasTimedOut, downstream.live.isActive else { return }
        downstream.next(element)
        if downstream.live.isActive { restart() }
    }

    override func end(_ end: Termination) {
        if !hasTimedOut { super.end(end) }
    }

    /// The other sequence runs inside the drain, because no other event follows. Like any error, the timeout is emitted
    /// before the source is disposed.
    override func spanExpired() {
        guard downstream.live.isActive else { return }
        let hasEnded = live.end {
            hasTimedOut = true
            if other == nil { downstream.error(RxError.timeout) }
        }
        if hasEnded, let other { switchToSource(other) }
    }
}
