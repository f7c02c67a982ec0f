import RxEngine
import Synchronization

/// The timer of the next save. A more urgent save replaces the scheduled one; all others change nothing.
///
/// Of two threads that schedule at the same time, the one with the less urgent save may arm its timer last, in place of
/// the other one's. So a thread that has armed looks whether a more urgent save was scheduled meanwhile:
///
/// | thread A               | thread B             | timer                       |
/// |------------------------|----------------------|-----------------------------|
/// | none → `fiveSeconds`   |                      |                             |
/// |                        | → `oneSecond`        |                             |
/// |                        | arms one second      | one second                  |
/// | arms five seconds      |                      | five seconds                |
/// | loads `oneSecond`: arms one second |          | one second                  |
///
/// If B arms after A's load, its timer is the last one.
final class SaveTimer: Sendable {
    /// How soon changed state is saved.
    enum Urgency: Int {
        case none, fiveSeconds, oneSecond, now, stopped
    }

    private let scheduler: any SchedulerType
    private let timer = SerialDisposable()
    /// The urgency of the scheduled save. Atomic, since every event reads it.
    private let scheduled = Atomic(Urgency.none.rawValue)

    init(on scheduler: any SchedulerType) {
        self.scheduler = scheduler
    }

    /// Schedules `save`, unless a save is scheduled that is as urgent, or saving was stopped.
    func schedule(_ urgency: Urgency, after span: Duration, _ save: @escaping @Sendable () -> Void) {
        var current = scheduled.load(ordering: .relaxed)
        while current < urgency.rawValue {
            let (isExchanged, found) = scheduled.compareExchange(
                expected: current, desired: urgency.rawValue, ordering: .acquiringAndReleasing)
            if isExchanged {
                arm(after: span, save)
                switch Urgency(rawValue: scheduled.load(ordering: .acquiring)) {
                case .now where urgency != .now: arm(after: .zero, save)
                case .oneSecond where urgency == .fiveSeconds: arm(after: .seconds(1), save)
                default: break
                }
                return
            }
            current = found
        }
    }

    private func arm(after span: Duration, _ save: @escaping @Sendable () -> Void) {
        timer.hold {
            scheduler.scheduleRelative((), dueTime: span.interval) {
                save()
                return Disposables.create()
            }
        }
    }

    /// Called when a save begins: changes from now on schedule the next one.
    ///
    /// - Returns: `false` if saving was stopped.
    func begin() -> Bool {
        guard scheduled.exchange(Urgency.none.rawValue, ordering: .acquiringAndReleasing) == Urgency.stopped.rawValue
        else { return true }
        scheduled.store(Urgency.stopped.rawValue, ordering: .releasing)
        return false
    }

    /// Stops saving permanently.
    func stop() {
        scheduled.store(Urgency.stopped.rawValue, ordering: .releasing)
        timer.dispose()
    }
}
