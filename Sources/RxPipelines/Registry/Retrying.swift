import RxEngine

extension Observable {
    /// This, tried again as the policy says where there is one. What fails for good tells how often it was tried.
    func retried(by policy: RetryPolicy?, on scheduler: any SchedulerType) -> Observable {
        guard let policy else { return self }
        return .deferred {
            let attempts = Locked(0)
            return Observable.deferred {
                attempts.withLock { $0 += 1 }
                return self
            }
            .retry(policy, scheduler: scheduler)
            .catch { error in throw RepeatedFailure.of(error, attempts.withLock { $0 }) }
        }
    }
}

/// What failed each time that it was tried.
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
