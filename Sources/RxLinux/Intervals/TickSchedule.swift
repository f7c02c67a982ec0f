import RxEngine

/// When an interval ticks.
public struct TickSchedule: Sendable, Hashable {
    /// The time from one tick to the next.
    public var every: Duration
    /// The time until the first tick.
    public var delay: Duration
    /// By how much a tick may come late, drawn anew for each, so that many hosts do not act as one.
    public var jitter: Duration

    /// A tick `every` so often; the first after `delay`, or else after one period.
    public init(every: Duration, delay: Duration? = nil, jitter: Duration = .zero) {
        self.every = every
        self.delay = delay ?? every
        self.jitter = jitter
    }
}

extension ObservableType where Element == Int {
    /// An observable that counts from 0, a step at each tick of `schedule`, for ever.
    ///
    ///     ticks(every: 3, delay: 1)       -0--1--2-->
    ///
    /// Ticks lie on a grid from the moment of subscribing: neither jitter nor slow observers make it drift. Ticks that
    /// could not be told in time are left out, but for one.
    ///
    /// - Parameters:
    ///   - schedule: when it ticks.
    ///   - scheduler: what it ticks on.
    ///   - random: draws a jitter between zero and the one given.
    public static func ticks(
        _ schedule: TickSchedule, scheduler: any SchedulerType,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) }
    ) -> Observable<Int> {
        precondition(schedule.every > .zero, "an interval's period is longer than nothing")
        return .create { observer in
            let run = TickRun(schedule, scheduler, random, observer)
            run.scheduleNext()
            return run.timer
        }
    }
}

// Unchecked: each tick is scheduled by the one before.
/// One run of an interval.
private final class TickRun: @unchecked Sendable {
    let timer = SerialDisposable()
    private let schedule: TickSchedule
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let observer: AnyObserver<Int>
    private var due: Duration
    private var tick = 0

    init(
        _ schedule: TickSchedule, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ observer: AnyObserver<Int>
    ) {
        self.schedule = schedule
        self.scheduler = scheduler
        self.random = random
        self.observer = observer
        due = scheduler.elapsed + schedule.delay
    }

    func scheduleNext() {
        let jitter = schedule.jitter > .zero ? random(schedule.jitter) : .zero
        let wait = max(.zero, due + jitter - scheduler.elapsed)
        timer.hold {
            scheduler.scheduleRelative((), dueTime: wait.interval) { [self] in
                advance()
                scheduleNext()
                observer.onNext(tick)
                tick += 1
                return Disposables.create()
            }
        }
    }

    /// To the grid's next point after now.
    private func advance() {
        due += schedule.every
        let late = scheduler.elapsed - due
        if late > .zero { due += schedule.every * (late.nanoseconds / max(1, schedule.every.nanoseconds) + 1) }
    }
}
