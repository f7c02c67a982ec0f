import RxEngine

extension FieldType where Value == RetryPolicy {
    /// When a failed request is repeated: `{ times: 5, backoff: 1s..1min }`, `{ times: 5, delay: 1s }`, or the number
    /// of times alone. The defaults are those of ``RetryPolicy/request``.
    static var requestRetry: Self {
        let expected = "a mapping such as { times: 5, backoff: 1s..1min }, or a number of times"
        return FieldType(expected, schema: ["type": ["object", "integer"]]) { node, context in
            var fields = FieldReader(node, in: "retry", short: "times", context)
            let times = fields.optional("times", .int(0...1000), "How many attempts follow the first one; default: 5")
            let pause = fields.backoff()
            let jitter = fields.optional(
                "jitter", .fraction, "The random part by which a pause is shortened, from 0 to 1; default: 0.2")
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
    /// The default for requests. Its jitter spreads the retries of many requests that failed at the same time.
    static var request: RetryPolicy {
        .exponential(from: .seconds(1), upTo: .seconds(60), times: 5, jitter: 0.2)
    }
}
