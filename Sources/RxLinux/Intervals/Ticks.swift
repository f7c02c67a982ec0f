import RxEngine

extension ObservableType where Element == Int {
    /// Creates an observable that counts from 0, one number at each tick of `schedule`.
    ///
    ///     ticks(every: 3, delay: 1)       -0--1--2-->
    ///
    /// Ticks lie on a grid: neither jitter nor slow observers make it drift. If one or more ticks cannot be delivered
    /// in time, one tick is delivered as soon as possible for all of them.
    ///
    /// On a dispatch scheduler a tick is up to a hundredth of the period late, at most 10 ms, to share a wake-up with
    /// those of other intervals; the grid does not move.
    ///
    /// The grid of an interval that is not aligned starts at the subscription and uses the monotonic clock: changes of
    /// the time of day do not move it, and the time of a suspended host does not count. An aligned one follows the time
    /// of day, also when that is changed:
    ///
    /// - If it jumps ahead, or the host was suspended, one tick is delivered at once for the points that were skipped.
    /// - If it jumps back, the next tick is at the next point of the grid, even one that has ticked, unless that tick
    ///   was less than half a period ago: a small step back repeats no tick.
    ///
    /// It never completes. It fails only with an error of `jumps`; the default's is a ``SystemError`` if no descriptor
    /// is left.
    ///
    /// - Parameters:
    ///   - schedule: the schedule of the ticks.
    ///   - scheduler: the scheduler that delivers the ticks; its `now` is the time of day.
    ///   - jumps: emits, on any thread, when the time of day has jumped. Default: the kernel's notifications.
    ///   - random: returns a random jitter between zero and its argument.
    ///   - fires: emits on the scheduler when a tick is to be delivered at once. It is counted like others, and does not
    ///     move the grid.
    ///   - onWait: called with the time until the next tick, on the scheduler or at the subscription.
    public static func ticks(
        _ schedule: TickSchedule, scheduler: any SchedulerType, jumps: Observable<Void> = WallClock.jumps,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) },
        fires: Observable<Void> = .never(), onWait: @escaping @Sendable (Duration) -> Void = { _ in }
    ) -> Observable<Int> {
        precondition(schedule.every > .zero, "an interval's period must be longer than 0")
        guard let clock = schedule.align else {
            return .create { observer in
                let run = TickRun(schedule, scheduler, random, onWait, observer)
                run.scheduleNext()
                return Disposables.create(fires.subscribe(onNext: { run.tickNow() }), run.timer)
            }
        }
        let sharing = WakeUpSharing(schedule, on: scheduler)
        return .create { observer in
            let run = AlignedTickRun(
                schedule, WallGrid(schedule, on: clock), sharing, scheduler, random, onWait, observer)
            let jumpSubscription = jumps.subscribe(onNext: { run.checkAgain() }, onError: { run.fail($0) })
            run.start()
            return Disposables.create(jumpSubscription, fires.subscribe(onNext: { run.tickNow() }), run.timer)
        }
    }
}

// Unchecked: its ticks run one after another; each is scheduled by the one before.
/// A run of an interval on the monotonic clock.
private final class TickRun: @unchecked Sendable {
    let timer = SerialDisposable()
    private let schedule: TickSchedule
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let onWait: @Sendable (Duration) -> Void
    private let observer: AnyObserver<Int>
    /// The period in nanoseconds.
    private let every: Int64
    private let sharing: WakeUpSharing
    private var due: Int64
    private var tick = 0

    init(
        _ schedule: TickSchedule, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ onWait: @escaping @Sendable (Duration) -> Void, _ observer: AnyObserver<Int>
    ) {
        self.onWait = onWait
        self.schedule = schedule
        self.scheduler = scheduler
        self.random = random
        self.observer = observer
        every = max(1, schedule.every.nanoseconds)
        sharing = WakeUpSharing(schedule, on: scheduler)
        due = scheduler.elapsed.nanoseconds.addingClamped(schedule.delay.nanoseconds)
    }

    func scheduleNext() {
        let jitter = schedule.jitter > .zero ? random(schedule.jitter).nanoseconds : 0
        let now = scheduler.elapsed.nanoseconds
        let wait = max(0, sharing.shared(due.addingClamped(jitter)).subtractingClamped(now))
        onWait(.nanoseconds(wait))
        timer.hold {
            scheduler.scheduleRelative((), dueTime: .nanoseconds(Int(wait))) { [self] in
                fire()
                return Disposables.create()
            }
        }
    }

    /// Delivers a tick.
    func tickNow() {
        observer.onNext(tick)
        tick += 1
    }

    /// Delivers a tick and then schedules the next: so a slow observer is never called by two threads, and the grid
    /// knows which points were missed.
    private func fire() {
        // Advance to the next point of the grid.
        due = due.addingClamped(every)
        let late = scheduler.elapsed.nanoseconds.subtractingClamped(due)
        if late > 0 { due += every * (late / every + 1) }
        tickNow()
        if !timer.isDisposed { scheduleNext() }
    }
}

extension Int64 {
    /// The sum, clamped to 64 bits.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to 64 bits.
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
