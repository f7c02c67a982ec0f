import FoundationEssentials
import RxEngine

/// The scheduler of a sink's attempts, with pauses between them that an operator can end.
///
/// When a pause is ended, the next attempt is made at once.
final class RetryScheduler: SchedulerType {
    /// The scheduler whose delays no operator can end, for time limits.
    let base: any SchedulerType
    /// The actions that wait for their time, by number. Each runs once.
    private let waiting = Locked<(last: Int, actions: [Int: @Sendable () -> Void])>((0, [:]))

    private let onPause: @Sendable (TimeInterval) -> Void
    private let earliestTime = Locked<Duration?>(nil)
    private let retry = Locked<@Sendable (any Error) -> Void>({ _ in })

    /// - Parameter onPause: called with the length of each pause in seconds, and with zero when an operator ends it.
    init(of base: any SchedulerType, onPause: @escaping @Sendable (TimeInterval) -> Void = { _ in }) {
        self.base = base
        self.onPause = onPause
    }

    var now: RxTime { base.now }
    var elapsed: Duration { base.elapsed }

    /// Called with the error of an attempt that is to be repeated.
    var onRetry: @Sendable (any Error) -> Void {
        get { retry.withLock(\.self) }
        set { retry.withLock { $0 = newValue } }
    }

    /// The earliest time of the next attempt, as a server has asked, in elapsed time; `nil` if none has, or an operator has
    /// ended the pauses since.
    var earliest: Duration? {
        get { earliestTime.withLock(\.self) }
        set { earliestTime.withLock { $0 = newValue } }
    }

    /// Whether an attempt waits for its time.
    var isWaiting: Bool { waiting.withLock { !$0.actions.isEmpty } }

    /// Runs the actions that wait for their time.
    func endPauses() {
        earliest = nil
        let actions = waiting.withLock { waiting in
            defer { waiting.actions = [:] }
            return waiting.actions.sorted { $0.key < $1.key }.map(\.value)
        }
        if !actions.isEmpty { onPause(0) }
        for action in actions { action() }
    }

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        base.schedule(state, action: action)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        // The attempt that follows waits for the rest of a longer pause.
        onPause(max(dueTime.seconds, earliest.map { ($0 - elapsed) / .seconds(1) } ?? 0))
        let (timer, run) = (SerialDisposable(), SerialDisposable())
        nonisolated(unsafe) let state = state
        let number = waiting.withLock { waiting in
            waiting.last += 1
            return waiting.last
        }
        let atOnce: @Sendable () -> Void = { [base] in
            timer.dispose()
            run.disposable = base.schedule(()) { action(state) }
        }
        waiting.withLock { $0.actions[number] = atOnce }
        timer.disposable = base.scheduleRelative((), dueTime: dueTime) { [self] in
            // Another thread may just have taken it.
            if remove(number) { run.disposable = action(state) }
            return Disposables.create()
        }
        return Disposables.create { [self] in
            _ = remove(number)
            timer.dispose()
            run.dispose()
        }
    }

    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        base.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }

    private func remove(_ number: Int) -> Bool {
        let removed = waiting.withLock { $0.actions.removeValue(forKey: number) }
        return removed != nil
    }
}
