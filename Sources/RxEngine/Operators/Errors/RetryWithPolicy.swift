extension ObservableType {
    /// This sequence, subscribed to again when it has failed, as `policy` says: how often, after how long a wait on
    /// `scheduler`, and after which errors.
    ///
    ///     self                                   --1--X
    ///     retry(.delayed(3, times: 2), …)        --1-----...1-----...1--X
    ///
    /// The error that the policy lets pass ends the sequence. Where it never waits and never gives up, a sequence that
    /// fails inside `subscribe` is retried in a loop, which only disposing ends.
    @inlinable
    public func retry(_ policy: RetryPolicy, scheduler: any SchedulerType) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retry) { sink in
            let failures = FailureCount(policy, scheduler)
            let source = policy.elementsReset ? upstream.lift(.retry) { ResettingSink(to: $0, failures) } : upstream
            return RetryRun<Element, any Error>(source, into: sink).start { errors in
                errors.flatMap { try failures.wait(after: $0) }
            }
        }
    }
}

// Unchecked: touched by the events of one sequence, which follow one another.
/// How often a sequence has failed.
@usableFromInline
final class FailureCount: @unchecked Sendable {
    private let policy: RetryPolicy
    private let scheduler: any SchedulerType
    private var failures = 0

    @usableFromInline
    init(_ policy: RetryPolicy, _ scheduler: any SchedulerType) {
        self.policy = policy
        self.scheduler = scheduler
    }

    /// Tells an element when it is time to try again; throws the error where it is not tried again.
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
