extension ObservableType {
    /// Completes the sequence when `duration` has passed since the subscription.
    ///
    ///     source        --1--2--3--4-->
    ///     take(for: 7)  --1--2-|
    ///
    /// The result completes on `scheduler`, and disposes the source then. Until then, the observer receives events on
    /// the threads on which the source emits them, and the result completes and fails with the source.
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.take) { TakeForSink(to: $0, duration, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
/// Passes elements on until its timer fires.
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
        startTimer(after: duration, generation: 0)
        // The timer may have fired already.
        guard downstream.live.isActive else { return Disposables.create() }
        return super.start(source)
    }

    override func receive(_ element: Element) {
        if downstream.live.isActive { downstream.next(element) }
    }

    override func handleTimer(_ generation: UInt64) {
        end(.completed)
    }
}
