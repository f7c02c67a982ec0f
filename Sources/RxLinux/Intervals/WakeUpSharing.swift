import RxEngine

/// Rounds the ticks of many intervals to common times. Otherwise ten thousand of them would wake the processor up ten
/// thousand times a second, which costs many times as much as the ticks.
struct WakeUpSharing: Sendable {
    /// The nanoseconds between shared wake-ups; 0 if wake-ups are not shared.
    private let step: Int64

    /// Virtual time has no wake-ups to share, and is exact.
    init(_ schedule: TickSchedule, on scheduler: any SchedulerType) {
        let isReal = scheduler is SerialDispatchQueueScheduler || scheduler is ConcurrentDispatchQueueScheduler
        step = isReal ? min(10_000_000, schedule.every.nanoseconds / 100) : 0
    }

    /// Rounds a time on the monotonic clock up to the next shared wake-up.
    func shared(_ due: Int64) -> Int64 {
        guard step > 1, due > 0 else { return due }
        let rest = due % step
        return rest == 0 ? due : due.addingClamped(step - rest)
    }
}
