import RxEngine

extension ObservableType where Element == Int {
    /// An observable that counts from 0, a step at each tick of `schedule`, for ever.
    ///
    ///     ticks(every: 3, delay: 1)       -0--1--2-->
    ///
    /// Ticks lie on a grid: neither jitter nor slow observers make it drift. A tick that could not be told in time is
    /// told once, as soon as it can be, and others that fell due meanwhile are left out.
    ///
    /// On a dispatch scheduler a tick comes up to a hundredth of the period late, and never more than 10 ms, so that it
    /// shares a wake-up with those of other intervals; the grid does not move for that.
    ///
    /// The grid of an interval that is not aligned begins at the moment of subscribing and is on the monotonic clock:
    /// no change of the time of day moves it, and a suspended host's time does not count. An aligned one keeps to the
    /// time of day, through changes of it too:
    ///
    /// - where it jumps ahead, or the host was suspended, the points that were passed over are one tick, at once;
    /// - where it jumps back, the next tick is at the next point of the grid, even one that was told before, unless
    ///   that was less than half a period ago: a small step back does not tell a point twice.
    ///
    /// - Parameters:
    ///   - schedule: when it ticks.
    ///   - scheduler: what it ticks on; its `now` is the time of day.
    ///   - jumps: tells, from any thread, that the time of day has jumped. The kernel does, unless a test does.
    ///   - random: draws a jitter between zero and the one given.
    ///
    /// Ends only with the error of `jumps`, which for the kernel's is a ``SystemError`` where no descriptor is left.
    public static func ticks(
        _ schedule: TickSchedule, scheduler: any SchedulerType, jumps: Observable<Void> = WallClock.jumps,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) }
    ) -> Observable<Int> {
        precondition(schedule.every > .zero, "an interval's period is longer than nothing")
        guard let clock = schedule.align else {
            return .create { observer in
                let run = TickRun(schedule, scheduler, random, observer)
                run.scheduleNext()
                return run.timer
            }
        }
        let sharing = WakeUpSharing(schedule, on: scheduler)
        return .create { observer in
            let run = AlignedTickRun(schedule, WallGrid(schedule, on: clock), sharing, scheduler, random, observer)
            let jumping = jumps.subscribe(onNext: { run.lookAgain() }, onError: { run.fail($0) })
            run.start()
            return Disposables.create(jumping, run.timer)
        }
    }
}

// Unchecked: each tick is scheduled by the one before.
/// One run of an interval on the monotonic clock.
private final class TickRun: @unchecked Sendable {
    let timer = SerialDisposable()
    private let schedule: TickSchedule
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let observer: AnyObserver<Int>
    /// The grid in nanoseconds.
    private let every: Int64
    private let sharing: WakeUpSharing
    private var due: Int64
    private var tick = 0

    init(
        _ schedule: TickSchedule, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ observer: AnyObserver<Int>
    ) {
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
        timer.hold {
            scheduler.scheduleRelative((), dueTime: .nanoseconds(Int(wait))) { [self] in
                fire()
                return Disposables.create()
            }
        }
    }

    /// The next tick is scheduled when this one has been told: an observer that takes its time is not called by two
    /// threads, and the grid knows what it has missed.
    private func fire() {
        // To the grid's next point after now.
        due = due.addingClamped(every)
        let late = scheduler.elapsed.nanoseconds.subtractingClamped(due)
        if late > 0 { due += every * (late / every + 1) }
        observer.onNext(tick)
        tick += 1
        if !timer.isDisposed { scheduleNext() }
    }
}

extension Int64 {
    /// The sum, or what is nearest to it.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or what is nearest to it.
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
