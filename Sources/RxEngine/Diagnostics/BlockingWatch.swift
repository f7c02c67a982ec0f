import Dispatch

/// The actions that schedulers are running, watched in debug builds while ``Hooks/onBlocked`` is set.
package enum BlockingWatch {
    // Unchecked: the lock guards what changes.
    /// An action that is running.
    final class Action: @unchecked Sendable {
        fileprivate let queue: String
        fileprivate let start = SuspendingClock.now
        private let lock = Lock()
        private var operation: Operator?
        private var record: SubscriptionRecord?
        private var isReported = false

        fileprivate init(on queue: String) {
            self.queue = queue
        }

        fileprivate func note(_ operation: Operator, _ record: SubscriptionRecord?) {
            lock.locked {
                self.operation = operation
                self.record = record
            }
        }

        /// Returns a report, once, if the action has run for `limit`.
        fileprivate func report(after limit: Duration, at now: SuspendingClock.Instant) -> BlockedScheduler? {
            let duration = now - start
            let known = lock.locked { () -> (Operator?, SubscriptionRecord?)? in
                guard !isReported, duration >= limit else { return nil }
                isReported = true
                return (operation, record)
            }
            guard let (operation, record) = known else { return nil }
            return BlockedScheduler(
                queue: queue, duration: duration, operation: operation,
                checkpoint: record.flatMap { CheckpointLabels(SubscriptionRegistry.all)[$0] })
        }
    }

    private struct State {
        var limit = Duration.seconds(1)
        var running: [ObjectIdentifier: Action] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private static let state = Locked(State())

    static var limit: Duration {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { $0.limit = newValue }
            restart()
        }
    }

    /// Whether actions are watched: never in a release build.
    @inlinable @inline(__always)
    package static var isOn: Bool {
        #if DEBUG
        isHookSet
        #else
        false
        #endif
    }

    @usableFromInline
    static var isHookSet: Bool { DiagnosticSwitches.isOn(DiagnosticSwitches.blocked) }

    /// Runs an action of a scheduler, and watches it.
    ///
    /// - Parameters:
    ///   - queue: what runs the action, for the report: the label of a queue, or the type of an actor or executor.
    ///   - body: the action.
    package static func run<Result>(on queue: @autoclosure () -> String, _ body: () -> Result) -> Result {
        #if DEBUG
        let action = Action(on: queue())
        let thread = ThreadState.current
        let outer = thread.pointee.watchedAction
        state.withLock { $0.running[ObjectIdentifier(action)] = action }
        thread.pointee.watchedAction = action
        defer {
            thread.pointee.watchedAction = outer
            _ = state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(action)) }
        }
        #endif
        return body()
    }

    /// Notes the operator whose events this thread's action delivers.
    static func note(_ operation: Operator, _ record: SubscriptionRecord?) {
        #if DEBUG
        ThreadState.current.pointee.watchedAction?.note(operation, record)
        #endif
    }

    /// Starts, changes or stops the timer that looks at the running actions, four times in a limit.
    static func restart() {
        let new = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "rx.blocking-watch"))
        let (old, isOn) = state.withLock { state -> ((any DispatchSourceTimer)?, Bool) in
            let old = state.timer
            let isOn = DiagnosticSwitches.isOn(DiagnosticSwitches.blocked)
            if isOn {
                let period = max(state.limit / 4, .milliseconds(1))
                new.schedule(deadline: .now() + period.interval, repeating: period.interval)
                new.setEventHandler { look() }
            }
            state.timer = isOn ? new : nil
            return (old, isOn)
        }
        old?.cancel()
        new.activate()
        // A source that is released before it is activated traps.
        if !isOn { new.cancel() }
    }

    private static func look() {
        let (limit, running) = state.withLock { ($0.limit, Array($0.running.values)) }
        for action in running {
            if let report = action.report(after: limit, at: .now) { Hooks.blocked(report) }
        }
    }
}

extension Hooks {
    /// How long an action may hold a thread of a scheduler before ``onBlocked`` is called (default: one second).
    public static var blockedAfter: Duration {
        get { BlockingWatch.limit }
        set { BlockingWatch.limit = newValue }
    }
}
