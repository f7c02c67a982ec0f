import RxEngine

extension Observable {
    /// Retries according to the policy, if there is one. The message of the last failure contains the number of
    /// attempts.
    ///
    /// - Parameter onRetry: called with the error of an attempt that is to be repeated.
    func retried(
        by policy: RetryPolicy?, on scheduler: any SchedulerType,
        onRetry: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> Observable {
        guard let policy else { return self }
        return .deferred {
            let attempts = Locked(0)
            var policy = policy
            let (times, isWanted) = (policy.times ?? .max, policy.shouldRetry)
            policy.shouldRetry = { error in
                guard isWanted(error) else { return false }
                if attempts.withLock({ $0 }) <= times { onRetry(error) }
                return true
            }
            return Observable.deferred {
                attempts.withLock { $0 += 1 }
                return self
            }
            .retry(policy, scheduler: scheduler)
            .catch { error in throw RepeatedFailure.of(error, attempts.withLock { $0 }) }
        }
    }
}

/// The failure of the last of several attempts.
private struct RepeatedFailure: Error, CustomStringConvertible {
    let description: String

    static func of(_ error: any Error, _ attempts: Int) -> any Error {
        guard attempts > 1 else { return error }
        let count = "; tried \(attempts) times"
        if let error = error.withoutCheckpoints as? StepError {
            return StepError(
                step: error.step, location: error.location, event: error.event, message: error.message + count)
        }
        return RepeatedFailure(description: "\(error.withoutCheckpoints)\(count)")
    }
}
