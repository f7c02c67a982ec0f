import RxEngine

// Unchecked: all mutable state is used inside the drain only.
/// A run of an interval that is aligned to the time of day.
final class AlignedTickRun: @unchecked Sendable {
    let timer = SerialDisposable()
    private let drain = SerializedDrain()
    private let grid: WallGrid
    private let sharing: WakeUpSharing
    private let schedule: TickSchedule
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let onWait: @Sendable (Duration) -> Void
    private let observer: AnyObserver<Int>

    /// The next point of the grid, and the random delay of its tick.
    private var next = Int64.max
    private var jitter: Int64 = 0
    /// The point of the latest tick, and the monotonic time of that tick.
    private var lastTick: (point: Int64, at: Int64)?
    private var tick = 0

    init(
        _ schedule: TickSchedule, _ grid: WallGrid, _ sharing: WakeUpSharing, _ scheduler: any SchedulerType,
        _ random: @escaping @Sendable (Duration) -> Duration,
        _ onWait: @escaping @Sendable (Duration) -> Void, _ observer: AnyObserver<Int>
    ) {
        self.onWait = onWait
        self.schedule = schedule
        self.grid = grid
        self.sharing = sharing
        self.scheduler = scheduler
        self.random = random
        self.observer = observer
    }

    func start() {
        drain.run { [self] in
            chooseNext(after: now)
            scheduleNext()
        }
    }

    /// Checks the time again after a jump: the next point may have passed, or there may be an earlier one.
    func checkAgain() {
        _ = scheduler.schedule(()) { [self] in
            drain.run { [self] in check() }
            return Disposables.create()
        }
    }

    /// Delivers a tick that is not at a point of the grid.
    func tickNow() {
        drain.run { [self] in deliverTick() }
    }

    func fail(_ error: any Error) {
        drain.run { [self] in observer.onError(error) }
    }

    private var now: Int64 { scheduler.now.nanosecondsSince1970 }

    private func check() {
        guard !timer.isDisposed else { return }
        let now = now
        if now >= next.addingClamped(jitter) {
            lastTick = (next, scheduler.elapsed.nanoseconds)
            deliverTick()
            chooseNext(after: self.now)
        } else if grid.first(after: now) < next {
            chooseNext(after: now)
        }
        if !timer.isDisposed { scheduleNext() }
    }

    private func deliverTick() {
        observer.onNext(tick)
        tick += 1
    }

    /// Chooses the next point.
    private func chooseNext(after now: Int64) {
        next = grid.first(after: now)
        jitter = schedule.jitter > .zero ? random(schedule.jitter).nanoseconds : 0
        guard let lastTick, next <= lastTick.point else { return }
        // The clock was set back over a point that has ticked. Skip it if that tick was just now.
        let since = scheduler.elapsed.nanoseconds + (next - now) - lastTick.at
        if since < schedule.every.nanoseconds / 2 { next = grid.first(after: next) }
    }

    private func scheduleNext() {
        let elapsed = scheduler.elapsed.nanoseconds
        let due = elapsed.addingClamped(max(0, next.addingClamped(jitter).subtractingClamped(now)))
        let wait = max(0, sharing.shared(due).subtractingClamped(elapsed))
        onWait(.nanoseconds(wait))
        timer.hold {
            scheduler.scheduleRelative((), dueTime: .nanoseconds(Int(wait))) { [self] in
                drain.run { [self] in check() }
                return Disposables.create()
            }
        }
    }
}
