import FoundationEssentials

// Unchecked: as its superclass, it traps off the thread that created it.
/// A virtual-time scheduler whose clock holds wall-clock times, for replaying past events.
open class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter>, @unchecked Sendable {
    /// Creates a scheduler whose clock starts at `initialClock` (default: the start of 1970).
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}
