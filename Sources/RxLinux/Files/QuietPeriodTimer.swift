import Dispatch

// Unchecked: used only on the watcher's queue.
/// Emits changes when their files have not changed further for some time.
final class QuietPeriodTimer: @unchecked Sendable {
    private let span: Duration
    private let alarm: OneShotTimer
    private let willEmit: () -> Void
    private let emit: (FileChange) -> Void
    private var pendingChanges = PendingChangeQueue()
    private var isSet = false
    /// Called after due changes were emitted.
    var whenEmitted: () -> Void = {}

    init(
        _ span: Duration, on queue: DispatchQueue, willEmit: @escaping () -> Void = {},
        _ emit: @escaping (FileChange) -> Void
    ) {
        self.span = span
        self.willEmit = willEmit
        self.emit = emit
        alarm = OneShotTimer(on: queue)
    }

    func cancel() {
        alarm.cancel()
    }

    /// The changes that are pending, as they would be emitted.
    var pending: [FileChange] { pendingChanges.all }

    /// The paths with pending changes.
    var paths: Set<BytePath> { pendingChanges.paths }

    /// The number of paths with pending changes.
    var count: Int { pendingChanges.count }
    var isEmpty: Bool { pendingChanges.nextDue == nil }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - extra: the additional time to wait for further changes of this path.
    func receive(_ change: FileChange, extra: Duration = .zero) {
        for change in pendingChanges.receive(change, due: .now + span + extra) { emit(change) }
        schedule()
    }

    private func schedule() {
        guard !isSet, let due = pendingChanges.nextDue else { return }
        isSet = true
        alarm.set(after: max(.zero, due - .now)) { [weak self] in self?.emitSettled() }
    }

    private func emitSettled() {
        isSet = false
        willEmit()
        for change in pendingChanges.settle(until: .now) { emit(change) }
        schedule()
        whenEmitted()
    }
}
