import FoundationEssentials

// Unchecked: as its superclass, it traps off the thread that made it.
/// A virtual scheduler whose clock tells wall-clock times, for replaying what happened then.
open class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter>, @unchecked Sendable {
    /// A scheduler whose clock stands at `initialClock`, which is the start of 1970 unless given.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}
