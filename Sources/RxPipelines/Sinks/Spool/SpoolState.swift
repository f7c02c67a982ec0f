/// How far a spooled sink has started or ended, and whether it is writing.
///
/// Each transition is made under the sink's lock, and returns what the sink has to do when it has released the lock.
struct SpoolState {
    /// An action of the sink after a transition.
    enum Action {
        /// Write the next batch.
        case write
        /// Retry the failed operations after a pause.
        case retryLater
        /// End the inner sink, with this call.
        case end(@Sendable () -> Void)
    }

    /// Whether the sink takes events, or how far it has ended.
    private enum Phase {
        /// The sink takes events, but leaves stored ones to the sink that it replaces.
        case unstarted
        case running
        /// The sink takes no events. `end` is called after the incoming ones were stored, or could not be.
        case closing(isStarted: Bool, end: @Sendable () -> Void)
        /// The inner sink finishes its running work.
        case ending
        case closed
    }

    /// Whether a batch is being written, or is about to be.
    private enum Work {
        case idle
        /// Nothing is written until a retry or the next event.
        case pausing
        case writing(isRetryScheduled: Bool)
    }

    private var phase = Phase.unstarted
    private var work = Work.idle

    /// Whether the sink takes events.
    var isOpen: Bool {
        switch phase {
        case .unstarted, .running: true
        case .closing, .ending, .closed: false
        }
    }

    /// Whether the sink takes events, and passes stored ones on.
    var isRunning: Bool { if case .running = phase { true } else { false } }
    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether the stored events may be counted: the replaced sink has stored its last ones.
    var mayCount: Bool {
        switch phase {
        case .running, .closing(isStarted: true, _): true
        case .unstarted, .closing, .ending, .closed: false
        }
    }

    private var isRetryScheduled: Bool {
        switch work {
        case .pausing, .writing(isRetryScheduled: true): true
        case .idle, .writing: false
        }
    }

    mutating func start() {
        switch phase {
        case .unstarted: phase = .running
        case .closing(_, let end): phase = .closing(isStarted: true, end: end)
        case .running, .ending, .closed: break
        }
    }

    /// Notes that there is something to write.
    ///
    /// - Returns: the write to begin; `nil` if one is under way, which continues with the rest.
    mutating func wake() -> Action? {
        if case .writing = work { return nil }
        work = .writing(isRetryScheduled: isRetryScheduled)
        return .write
    }

    /// Notes that a batch was written, or could not be.
    ///
    /// - Parameters:
    ///   - hasMore: whether there is something to write now.
    ///   - isPaused: whether failed operations wait for their retry.
    mutating func wrote(hasMore: Bool, isPaused: Bool) -> [Action] {
        let schedulesRetry = isPaused && isOpen && !isRetryScheduled
        let hasRetry = schedulesRetry || isRetryScheduled
        work = hasMore ? .writing(isRetryScheduled: hasRetry) : hasRetry ? .pausing : .idle
        var actions: [Action] = schedulesRetry ? [.retryLater] : []
        if hasMore {
            actions.append(.write)
        } else if case .closing(_, let end) = phase {
            // Closing does not wait for the retries of a failing store.
            phase = .ending
            actions.append(.end(end))
        }
        return actions
    }

    /// Notes that the pause before a retry has ended.
    mutating func endPause() {
        switch work {
        case .idle, .pausing: work = .idle
        case .writing: work = .writing(isRetryScheduled: false)
        }
    }

    /// Stops taking events, if the sink is open.
    ///
    /// - Parameter end: called after the incoming events were stored, or could not be.
    /// - Returns: whether it was open.
    mutating func close(_ end: @escaping @Sendable () -> Void) -> Bool {
        guard isOpen else { return false }
        phase = .closing(isStarted: isRunning, end: end)
        return true
    }

    /// Notes that the inner sink has ended, or is disposed of.
    mutating func closed() {
        phase = .closed
    }
}
