extension ObservableType {
    /// Starts a span of `dueTime` at an element, and emits the latest element at its end.
    ///
    ///     source          --1-2-3---------4-5---|
    ///     auditTime(4)    ------3-----------5---|
    ///
    /// It is a `throttle` without the first element: the next element after the end of a span starts the next one. If a
    /// span has not ended when the source completes, the result completes right after its element. An error drops the
    /// pending element and fails the result at once.
    /// The observer receives elements on `scheduler`, and the end on the thread that ends the source, or on `scheduler`
    /// if it follows a pending element.
    ///
    /// - Parameters:
    ///   - dueTime: the length of a span.
    ///   - scheduler: measures the span and emits the element.
    @inlinable
    public func auditTime(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.auditTime) { AuditTimeSink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
/// Stores the latest element until the span ends. An element is pending exactly while a span runs.
@usableFromInline
final class AuditTimeSink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    private let dueTime: RxTimeInterval
    @exclusivity(unchecked) private var pending = ElementBox<Element>()
    private var hasCompleted = false

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        super.init(.auditTime, to: downstream, on: scheduler)
    }

    override func receive(_ element: Element) {
        guard downstream.live.isActive else { return }
        let isFirst = pending.isEmpty
        pending.store(element)
        if isFirst { startTimer(after: dueTime, generation: 0) }
    }

    override func handleTimer(_ generation: UInt64) {
        guard downstream.live.isActive else { return }
        downstream.next(pending.take())
        if hasCompleted, downstream.live.isActive { downstream.completed() }
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end, !pending.isEmpty { return hasCompleted = true }
        downstream.terminate(with: end)
    }
}
