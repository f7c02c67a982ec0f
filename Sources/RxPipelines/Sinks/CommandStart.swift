import Glibc
import RxEngine
import RxLinux

extension Observable {
    /// Retries each second as long as a command cannot be started for want of descriptors, processes or memory: that is
    /// no fault of the event, and passes.
    ///
    /// - Parameter onFirst: called with the first such error.
    func startedWhenPossible(
        on scheduler: any SchedulerType, onFirst: @escaping @Sendable (CommandError) -> Void
    ) -> Observable {
        .deferred {
            let isRecorded = Locked(false)
            var policy = RetryPolicy.delayed(.seconds(1))
            policy.retries = { error in
                guard let error = error.withoutCheckpoints as? CommandError, error.isShortage else {
                    return false
                }
                let isNews = isRecorded.withLock { isRecorded in
                    defer { isRecorded = true }
                    return !isRecorded
                }
                if isNews { onFirst(error) }
                return true
            }
            return self.retry(policy, scheduler: scheduler)
        }
    }
}

extension CommandError {
    /// Whether the system, or this process, had too little of something.
    fileprivate var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(cause.number) }
}
