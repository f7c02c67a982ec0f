import Dispatch

// Unchecked: used on the watcher's queue alone.
/// Tells changes when nothing more has happened to their file for a while.
final class SettleTimer: @unchecked Sendable {
    private let span: Duration
    private let alarm: Alarm
    private let willTell: () -> Void
    private let tell: (FileChange) -> Void
    private var backlog = PendingChanges()
    private var isSet = false
    /// Called when something has been told.
    var whenTold: () -> Void = {}

    init(
        _ span: Duration, on queue: DispatchQueue, willTell: @escaping () -> Void = {},
        _ tell: @escaping (FileChange) -> Void
    ) {
        self.span = span
        self.willTell = willTell
        self.tell = tell
        alarm = Alarm(on: queue)
    }

    func cancel() {
        alarm.cancel()
    }

    /// What has not been told yet, as it would be.
    var keptBack: [FileChange] { backlog.all }

    /// How many paths have something that has not been told yet.
    var count: Int { backlog.count }
    var isEmpty: Bool { backlog.nextDue == nil }

    func take(_ change: FileChange) {
        for change in backlog.take(change, due: .now + span) { tell(change) }
        schedule()
    }

    private func schedule() {
        guard !isSet, let due = backlog.nextDue else { return }
        isSet = true
        alarm.set(after: max(.zero, due - .now)) { [weak self] in self?.ring() }
    }

    private func ring() {
        isSet = false
        willTell()
        for change in backlog.settle(until: .now) { tell(change) }
        schedule()
        whenTold()
    }
}
