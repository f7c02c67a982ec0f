import RxEngine

/// When ticks of many intervals may come together, so that ten thousand of them do not wake the processor up ten
/// thousand times a second: that costs many times what the ticks do.
struct WakeUpSharing: Sendable {
    /// The nanoseconds from one wake-up that is shared to the next; 0 where none is.
    private let step: Int64

    /// Virtual time has nothing to share, and is exact.
    init(_ schedule: TickSchedule, on scheduler: any SchedulerType) {
        let isReal = scheduler is SerialDispatchQueueScheduler || scheduler is ConcurrentDispatchQueueScheduler
        step = isReal ? min(10_000_000, schedule.every.nanoseconds / 100) : 0
    }

    /// When a tick comes that is due at this time on the monotonic clock.
    func shared(_ due: Int64) -> Int64 {
        guard step > 1, due > 0 else { return due }
        let rest = due % step
        return rest == 0 ? due : due.addingClamped(step - rest)
    }
}
