extension ObservableType {
    /// The same sequence, ended when `duration` has gone by since subscribing.
    ///
    ///     source        --1--2--3--4-->
    ///     take(for: 7)  --1--2-|
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.take) { TakeForSink(to: $0, duration, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class TakeForSink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    private let duration: RxTimeInterval

    @usableFromInline
    init(to downstream: Sink<Element>, _ duration: RxTimeInterval, on scheduler: any SchedulerType) {
        self.duration = duration
        super.init(.take, to: downstream, on: scheduler)
    }

    @usableFromInline
    override func start(_ source: Observable<Element>) -> any Disposable {
        wake(after: duration, 0)
        return super.start(source)
    }

    override func take(_ element: Element) {
        if downstream.live.isActive { downstream.next(element) }
    }

    override func due(_ timer: UInt64) {
        end(.completed)
    }
}
