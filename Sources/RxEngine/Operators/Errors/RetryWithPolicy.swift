import Dispatch

extension ObservableType {
    /// Subscribes again after a failure, as often and after the delays that `policy` sets.
    ///
    ///     self                                   --1--X
    ///     retry(.delayed(3, times: 2), …)        --1-----...1-----...1--X
    ///
    /// Completes when the source completes. Fails with the first error that the policy does not retry. If the policy
    /// has neither a delay nor a limit and the source fails inside `subscribe`, it is retried in a loop, which only
    /// disposing ends.
    ///
    /// After a delay `scheduler` subscribes again, otherwise the thread that delivered the error.
    ///
    /// - Parameters:
    ///   - policy: the number of retries, their delays, and the errors to retry.
    ///   - scheduler: waits for the delays. Default: one with a concurrent queue, which all such calls share.
    @inlinable
    public func retry(
        _ policy: RetryPolicy, scheduler: any SchedulerType = RetryPolicy.defaultScheduler
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retry) { sink in
            let failures = FailureCount(policy, scheduler)
            let source = policy.elementsReset ? upstream.lift(.retry) { ResettingSink(to: $0, failures) } : upstream
            return RetryRun<Element, any Error>(.retry, source, into: sink).start { errors in
                errors.flatMap { try failures.wait(after: $0) }
            }
        }
    }
}

extension RetryPolicy {
    /// The scheduler of retries that name none.
    @usableFromInline
    static let defaultScheduler = ConcurrentDispatchQueueScheduler(
        queue: DispatchQueue(label: "rx.retry", attributes: .concurrent))
}

// Unchecked: only the events of one sequence access it, and they never overlap.
/// Counts the failures of a sequence.
@usableFromInline
final class FailureCount: @unchecked Sendable {
    private let policy: RetryPolicy
    private let scheduler: any SchedulerType
    @exclusivity(unchecked) private var failures = 0

    @usableFromInline
    init(_ policy: RetryPolicy, _ scheduler: any SchedulerType) {
        self.policy = policy
        self.scheduler = scheduler
    }

    /// Returns a sequence that emits an element when the delay before the next attempt has passed.
    ///
    /// - Throws: `error`, if the policy does not retry.
    @usableFromInline
    func wait(after error: any Error) throws -> Observable<Int> {
        guard let wait = policy.wait(after: error, failures: failures) else { throw error }
        failures += 1
        if wait.nanoseconds == 0 { return .just(0) }
        return .timer(wait, scheduler: scheduler)
    }

    func reset() {
        failures = 0
    }
}

@usableFromInline
final class ResettingSink<Element>: OperatorSink<Element, Element> {
    private let failures: FailureCount

    @usableFromInline
    init(to downstream: Sink<Element>, _ failures: FailureCount) {
        self.failures = failures
        super.init(.retry, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        failures.reset()
        downstream.next(element)
    }
}
