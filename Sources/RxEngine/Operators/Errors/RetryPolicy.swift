/// When a sequence that has failed is subscribed to again, and how often.
///
/// ```swift
/// let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(60), times: 8, jitter: 0.2)
/// let status = request.retry(policy, scheduler: scheduler)
/// ```
public struct RetryPolicy: Sendable {
    /// How long it waits before it tries again.
    public enum Backoff: Sendable {
        /// It does not.
        case none
        /// So long, each time.
        case constant(RxTimeInterval)
        /// So long after the first failure, and `factor` times as long after each that follows, up to a cap.
        case exponential(from: RxTimeInterval, upTo: RxTimeInterval, factor: Double = 2)
    }

    /// How many times it is tried again; `nil` for no end.
    public var times: Int?
    /// How long it waits before.
    public var backoff: Backoff
    /// By what part of it the wait is shortened at most, at random, so that many that failed together do not all come
    /// back together: from 0, not at all, to 1.
    public var jitter: Double
    /// Whether an element starts the counting of failures anew.
    public var elementsReset: Bool
    /// Which errors it is tried again after; all others pass.
    public var retries: @Sendable (any Error) -> Bool
    /// A random number from 0 up to 1, for the jitter.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// A policy.
    @preconcurrency
    public init(
        times: Int? = nil, backoff: Backoff = .none, jitter: Double = 0, elementsReset: Bool = false,
        retries: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        precondition(times ?? 0 >= 0, "a sequence is tried again a number of times, not \(times ?? 0)")
        precondition((0...1).contains(jitter), "a jitter is a part of a wait, from 0 to 1, not \(jitter)")
        self.times = times
        self.backoff = backoff
        self.jitter = jitter
        self.elementsReset = elementsReset
        self.retries = retries
    }

    /// Tries again at once, so many times.
    public static func immediate(times: Int) -> RetryPolicy {
        RetryPolicy(times: times)
    }

    /// Tries again after so long.
    public static func delayed(_ delay: RxTimeInterval, times: Int? = nil, jitter: Double = 0) -> RetryPolicy {
        RetryPolicy(times: times, backoff: .constant(delay), jitter: jitter)
    }

    /// Tries again after longer and longer waits.
    public static func exponential(
        from first: RxTimeInterval, upTo longest: RxTimeInterval, factor: Double = 2, times: Int? = nil,
        jitter: Double = 0
    ) -> RetryPolicy {
        RetryPolicy(
            times: times, backoff: .exponential(from: first, upTo: longest, factor: factor), jitter: jitter)
    }
}

extension RetryPolicy {
    /// How long to wait after an error before which there were `failures` others; `nil` where it is not tried again.
    func wait(after error: any Error, failures: Int) -> RxTimeInterval? {
        if let times, failures >= times { return nil }
        return retries(error) ? wait(failures) : nil
    }

    private func wait(_ failures: Int) -> RxTimeInterval {
        let nanoseconds: Double
        switch backoff {
        case .none: return .nanoseconds(0)
        case .constant(let span):
            guard let span = span.nanoseconds else { return .never }
            nanoseconds = Double(span)
        case .exponential(let first, let longest, let factor):
            guard let first = first.nanoseconds else { return .never }
            let cap = longest.nanoseconds.map(Double.init) ?? .infinity
            nanoseconds = min(cap, Double(first) * factor.power(failures))
        }
        let shortened = jitter > 0 ? nanoseconds * (1 - jitter * random()) : nanoseconds
        // Beyond what 64 bits of nanoseconds hold, it is centuries either way.
        return .nanoseconds(Int(max(0, min(shortened.rounded(), 9e18))))
    }
}

extension Double {
    /// By squaring: nothing of the C library is needed for it.
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
