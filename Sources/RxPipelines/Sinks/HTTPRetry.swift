import RxEngine

extension FieldType where Value == RetryPolicy {
    /// `{ times: 5, backoff: 1s..1min }` or `{ times: 5, delay: 1s }`, or the number of times alone: how often a
    /// request is tried again. What is not said is as in ``RetryPolicy/request``.
    static var requestRetry: Self {
        let expected = "a mapping such as { times: 5, backoff: 1s..1min }, or a number of times"
        return FieldType(expected, schema: ["type": ["object", "integer"]]) { node, context in
            var fields = Fields(node, in: "retry", short: "times", context)
            let times = fields.optional("times", .int(0...1000))
            let pause = fields.backoff()
            let jitter = fields.optional("jitter", .fraction)
            guard fields.finish() else { return nil }
            var policy = RetryPolicy.request
            policy.times = times ?? policy.times
            policy.jitter = jitter ?? policy.jitter
            policy.backoff = pause ?? policy.backoff
            return policy
        }
    }
}

extension RetryPolicy {
    /// For requests of which nothing is said: with a part of chance in it, so that many that failed together do not all
    /// come back together.
    static var request: RetryPolicy {
        .exponential(from: .seconds(1), upTo: .seconds(60), times: 5, jitter: 0.2)
    }
}
