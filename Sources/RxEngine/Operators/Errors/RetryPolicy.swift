/// Rules for when, and how often, to subscribe again to a sequence that has failed.
///
/// ```swift
/// let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(60), times: 8, jitter: 0.2)
/// let status = request.retry(policy, scheduler: scheduler)
/// ```
public struct RetryPolicy: Sendable {
    /// The delay before the next attempt.
    public enum Backoff: Sendable {
        /// No delay.
        case none
        /// A constant delay.
        case constant(RxTimeInterval)
        /// A delay that starts at `from`, is multiplied by `factor` after each further failure, and never exceeds
        /// `upTo`.
        case exponential(from: RxTimeInterval, upTo: RxTimeInterval, factor: Double = 2)
        /// The delay that a closure returns, which receives the number of failures before this one.
        case custom(@Sendable (_ failures: Int) -> RxTimeInterval)
    }

    /// The number of retries after the first attempt; `nil` for no limit.
    public var times: Int?
    /// The delay before each retry.
    public var backoff: Backoff
    /// The largest part of a delay to subtract at random, from 0, none, to 1, all of it.
    ///
    /// With jitter, many clients that have failed at the same moment do not all retry at the same moment.
    public var jitter: Double
    /// Whether an element resets the count of failures.
    public var elementsReset: Bool
    /// Whether to retry after an error. Any other error ends the sequence.
    public var shouldRetry: @Sendable (any Error) -> Bool
    /// A random number in `0..<1`, for the jitter. Tests replace it.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - times: the number of retries after the first attempt; `nil` for no limit. A negative number traps.
    ///   - backoff: the delay before each retry.
    ///   - jitter: the largest part of a delay to subtract at random, from 0 to 1. Any other number traps.
    ///   - elementsReset: whether an element resets the count of failures.
    ///   - shouldRetry: whether to retry after an error. Default: after every error.
    @preconcurrency
    public init(
        times: Int? = nil, backoff: Backoff = .none, jitter: Double = 0, elementsReset: Bool = false,
        shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        precondition(times ?? 0 >= 0, "RetryPolicy: times must not be negative, but is \(times ?? 0)")
        precondition((0...1).contains(jitter), "RetryPolicy: jitter must be in 0...1, but is \(jitter)")
        self.times = times
        self.backoff = backoff
        self.jitter = jitter
        self.elementsReset = elementsReset
        self.shouldRetry = shouldRetry
    }

    /// Makes a policy that retries without delay, up to `times` times.
    ///
    /// - Parameters:
    ///   - times: the number of retries after the first attempt.
    ///   - shouldRetry: whether to retry after an error. Default: after every error.
    @preconcurrency
    public static func immediate(
        times: Int, shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RetryPolicy {
        RetryPolicy(times: times, shouldRetry: shouldRetry)
    }

    /// Makes a policy that retries after the same delay each time.
    ///
    /// Elements do not reset the count of failures.
    ///
    /// - Parameters:
    ///   - delay: the delay before each retry.
    ///   - times: the number of retries; `nil` for no limit.
    ///   - jitter: the largest part of a delay to subtract at random, from 0 to 1.
    ///   - shouldRetry: whether to retry after an error. Default: after every error.
    @preconcurrency
    public static func delayed(
        _ delay: RxTimeInterval, times: Int? = nil, jitter: Double = 0,
        shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RetryPolicy {
        RetryPolicy(times: times, backoff: .constant(delay), jitter: jitter, shouldRetry: shouldRetry)
    }

    /// Makes a policy that retries after delays that grow exponentially.
    ///
    /// Elements do not reset the count of failures.
    ///
    /// - Parameters:
    ///   - first: the delay before the first retry.
    ///   - longest: the longest delay.
    ///   - factor: multiplies the delay after each further failure.
    ///   - times: the number of retries; `nil` for no limit.
    ///   - jitter: the largest part of a delay to subtract at random, from 0 to 1.
    ///   - shouldRetry: whether to retry after an error. Default: after every error.
    @preconcurrency
    public static func exponential(
        from first: RxTimeInterval, upTo longest: RxTimeInterval, factor: Double = 2, times: Int? = nil,
        jitter: Double = 0, shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RetryPolicy {
        RetryPolicy(
            times: times, backoff: .exponential(from: first, upTo: longest, factor: factor), jitter: jitter,
            shouldRetry: shouldRetry)
    }

    /// Makes a policy that retries after the delays that a closure returns.
    ///
    /// Elements do not reset the count of failures.
    ///
    ///     .custom(times: 5) { failures in .seconds([1, 1, 2, 3, 5][failures]) }
    ///
    /// - Parameters:
    ///   - times: the number of retries; `nil` for no limit.
    ///   - jitter: the largest part of a delay to subtract at random, from 0 to 1.
    ///   - shouldRetry: whether to retry after an error. Default: after every error.
    ///   - delay: returns the delay before a retry. It receives the number of failures before the one to retry, from 0,
    ///     and is called on the thread that delivers the error.
    @preconcurrency
    public static func custom(
        times: Int? = nil, jitter: Double = 0, shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true },
        delay: @escaping @Sendable (_ failures: Int) -> RxTimeInterval
    ) -> RetryPolicy {
        RetryPolicy(times: times, backoff: .custom(delay), jitter: jitter, shouldRetry: shouldRetry)
    }
}

extension RetryPolicy {
    /// The delay before a retry after `error`, which `failures` others preceded; `nil` if the policy does not retry.
    func wait(after error: any Error, failures: Int) -> RxTimeInterval? {
        if let times, failures >= times { return nil }
        return shouldRetry(error) ? wait(failures) : nil
    }

    private func wait(_ failures: Int) -> RxTimeInterval {
        let nanoseconds: Double
        switch backoff {
        case .none: return .nanoseconds(0)
        case .constant(let span):
            guard let span = span.nanoseconds else { return .never }
            nanoseconds = Double(span)
        case .custom(let delay):
            guard let span = delay(failures).nanoseconds else { return .never }
            nanoseconds = Double(span)
        case .exponential(let first, let longest, let factor):
            guard let first = first.nanoseconds else { return .never }
            let cap = longest.nanoseconds.map(Double.init) ?? .infinity
            nanoseconds = min(cap, Double(first) * factor.power(failures))
        }
        let shortened = jitter > 0 ? nanoseconds * (1 - jitter * random()) : nanoseconds
        // 9e18 nanoseconds, 285 years, is about the longest delay that 64 bits hold.
        return .nanoseconds(Int(max(0, min(shortened.rounded(), 9e18))))
    }
}

extension Double {
    /// The number to the power of `exponent`, by squaring: this needs no function of the C library.
    fileprivate func power(_ exponent: Int) -> Double {
        var (result, base, rest) = (1.0, self, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= base }
            base *= base
            rest >>= 1
        }
        return result
    }
}
