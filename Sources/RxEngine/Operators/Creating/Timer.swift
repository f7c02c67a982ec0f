extension ObservableType where Element: RxAbstractInteger {
    /// An observable that counts from 0, a step every `period`, for ever.
    ///
    ///     interval(2)     --0-1-2-3-->
    ///
    /// The first element comes after one period. A period of zero ticks at every turn of `scheduler`.
    @inlinable
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        ticks(.interval, after: period, every: period, scheduler)
    }

    /// An observable of 0, after `dueTime`; with a `period`, it goes on counting.
    ///
    ///     timer(3)                ---0|
    ///     timer(3, period: 1)     ---0123-->
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        if let period { return ticks(.timer, after: dueTime, every: period, scheduler) }
        return .source(.timer) { sink in
            let counter: Ticking = Counter(sink)
            return scheduler.scheduleRelative((), dueTime: dueTime) {
                counter.count()
                counter.end()
                return Disposables.create()
            }
        }
    }

    @inlinable
    static func ticks(
        _ operation: Operator, after delay: RxTimeInterval, every period: RxTimeInterval, _ scheduler: any SchedulerType
    ) -> Observable<Element> {
        .source(operation) { sink in
            let counter: Ticking = Counter(sink)
            return scheduler.schedulePeriodic((), startAfter: delay, period: period) { counter.count() }
        }
    }
}

/// The integers that timers may count in.
public typealias RxAbstractInteger = FixedWidthInteger

// Unchecked: a timer's ticks follow one another.
/// What a timer's action calls: its closure must not know the integer's type, which may not be sent.
@usableFromInline
class Ticking: @unchecked Sendable {
    @usableFromInline
    func count() {}
    @usableFromInline
    func end() {}
}

// Unchecked: as above.
@usableFromInline
final class Counter<Element: RxAbstractInteger>: Ticking, @unchecked Sendable {
    private let sink: Sink<Element>
    private var tick: Element = 0

    @usableFromInline
    init(_ sink: Sink<Element>) {
        self.sink = sink
    }

    @usableFromInline
    override func count() {
        guard sink.live.isActive else { return }
        defer { tick &+= 1 }
        sink.next(tick)
    }

    @usableFromInline
    override func end() {
        if sink.live.isActive { sink.completed() }
    }
}
