extension ObservableType where Element: RxAbstractInteger {
    /// Makes an observable that counts from 0, one step every `period`, and never ends.
    ///
    ///     interval(2)     --0-1-2-3-->
    ///
    /// `scheduler` delivers the elements, the first after one period.
    /// Never fails.
    ///
    /// - Parameters:
    ///   - period: the time between two elements. With a period of zero, `scheduler` emits again as soon as it can.
    ///   - scheduler: measures the time and delivers the elements.
    @inlinable
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        ticks(.interval, after: period, every: period, scheduler)
    }

    /// Makes an observable that emits 0 after `dueTime`, and then, with a `period`, keeps counting.
    ///
    ///     timer(3)                ---0|
    ///     timer(3, period: 1)     ---0123-->
    ///
    /// Completes after the first element if there is no `period`; never ends otherwise. `scheduler` delivers the
    /// events.
    /// Never fails.
    ///
    /// - Parameters:
    ///   - dueTime: the time until the first element.
    ///   - period: the time between two elements; `nil` for a single element.
    ///   - scheduler: measures the time and delivers the events.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        if let period { return ticks(.timer, after: dueTime, every: period, scheduler) }
        return .source(.timer) { sink in
            let counter: AnyTickCounter = TickCounter(.timer, sink)
            return scheduler.scheduleRelative((), dueTime: dueTime) {
                counter.emit()
                counter.complete()
                return Disposables.create()
            }
        }
    }

    @inlinable
    static func ticks(
        _ operation: Operator, after delay: RxTimeInterval, every period: RxTimeInterval, _ scheduler: any SchedulerType
    ) -> Observable<Element> {
        .source(operation) { sink in
            let counter: AnyTickCounter = TickCounter(operation, sink)
            return scheduler.schedulePeriodic((), startAfter: delay, period: period) { counter.emit() }
        }
    }
}

/// An integer type that timers and ranges can emit.
public typealias RxAbstractInteger = FixedWidthInteger

// Unchecked: a timer never runs two ticks at once.
/// The counter of a timer, without its integer type: the closure that a scheduler runs must be sendable, so it cannot
/// capture a type that may not be.
@usableFromInline
class AnyTickCounter: @unchecked Sendable {
    @usableFromInline
    func emit() {}
    @usableFromInline
    func complete() {}
}

// Unchecked: as above.
@usableFromInline
final class TickCounter<Element: RxAbstractInteger>: AnyTickCounter, @unchecked Sendable {
    private let operation: Operator
    private let sink: Sink<Element>
    private var index: Element = 0

    @usableFromInline
    init(_ operation: Operator, _ sink: Sink<Element>) {
        self.operation = operation
        self.sink = sink
    }

    @usableFromInline
    override func emit() {
        guard sink.live.isActive else { return }
        if BlockingWatch.isOn { BlockingWatch.note(operation, sink.record) }
        defer { index &+= 1 }
        sink.next(index)
    }

    @usableFromInline
    override func complete() {
        if sink.live.isActive { sink.completed() }
    }
}
