import RxEngine

// Unchecked: touched inside the gate only.
/// One run of an interval on the time of day.
final class AlignedTickRun: @unchecked Sendable {
    let timer = SerialDisposable()
    private let gate = Gate()
    private let grid: WallGrid
    private let sharing: WakeUpSharing
    private let schedule: TickSchedule
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let observer: AnyObserver<Int>

    /// The point that is waited for, and by how much it comes late on purpose.
    private var next = Int64.max
    private var jitter: Int64 = 0
    /// The last point that was told, and when that was on the monotonic clock.
    private var told: (point: Int64, at: Int64)?
    private var tick = 0

    init(
        _ schedule: TickSchedule, _ grid: WallGrid, _ sharing: WakeUpSharing, _ scheduler: any SchedulerType,
        _ random: @escaping @Sendable (Duration) -> Duration, _ observer: AnyObserver<Int>
    ) {
        self.schedule = schedule
        self.grid = grid
        self.sharing = sharing
        self.scheduler = scheduler
        self.random = random
        self.observer = observer
    }

    func start() {
        gate.pass { [self] in
            plan(after: now)
            scheduleNext()
        }
    }

    /// The time of day has jumped: what is waited for may be over, or another point may come before it.
    func lookAgain() {
        _ = scheduler.schedule(()) { [self] in
            gate.pass { [self] in look() }
            return Disposables.create()
        }
    }

    func fail(_ error: any Error) {
        gate.pass { [self] in observer.onError(error) }
    }

    private var now: Int64 { scheduler.now.nanosecondsSince1970 }

    private func look() {
        guard !timer.isDisposed else { return }
        let now = now
        if now >= next.addingClamped(jitter) {
            told = (next, scheduler.elapsed.nanoseconds)
            observer.onNext(tick)
            tick += 1
            plan(after: self.now)
        } else if grid.first(after: now) < next {
            plan(after: now)
        }
        if !timer.isDisposed { scheduleNext() }
    }

    /// Chooses the point to wait for.
    private func plan(after now: Int64) {
        next = grid.first(after: now)
        jitter = schedule.jitter > .zero ? random(schedule.jitter).nanoseconds : 0
        guard let told, next <= told.point else { return }
        // The clock has gone back, and this was told before. Just now?
        let since = scheduler.elapsed.nanoseconds + (next - now) - told.at
        if since < schedule.every.nanoseconds / 2 { next = grid.first(after: next) }
    }

    private func scheduleNext() {
        let elapsed = scheduler.elapsed.nanoseconds
        let due = elapsed.addingClamped(max(0, next.addingClamped(jitter).subtractingClamped(now)))
        let wait = max(0, sharing.shared(due).subtractingClamped(elapsed))
        timer.hold {
            scheduler.scheduleRelative((), dueTime: .nanoseconds(Int(wait))) { [self] in
                gate.pass { [self] in look() }
                return Disposables.create()
            }
        }
    }
}
