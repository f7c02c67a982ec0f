import Glibc
import RxEngine
import RxLinux
import Synchronization

extension Observable {
    /// Retries every second while a command cannot be started for lack of descriptors, processes or memory, since such
    /// a shortage is transient and no failure of the event.
    ///
    /// - Parameters:
    ///   - scheduler: the scheduler of the retries.
    ///   - onFirst: called with the first such error.
    func startedWhenPossible(
        on scheduler: any SchedulerType, onFirst: @escaping @Sendable (CommandError) -> Void
    ) -> Observable {
        .deferred {
            let isRecorded = Atomic(false)
            var policy = RetryPolicy.delayed(.seconds(1))
            policy.shouldRetry = { error in
                guard let error = error.withoutCheckpoints as? CommandError, error.isShortage else {
                    return false
                }
                if !isRecorded.exchange(true, ordering: .relaxed) { onFirst(error) }
                return true
            }
            return self.retry(policy, scheduler: scheduler)
        }
    }
}

extension CommandError {
    /// Whether the error is a lack of descriptors, processes or memory.
    fileprivate var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(cause.number) }
}
