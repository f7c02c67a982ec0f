import RxEngine

extension FieldType where Value == RetryPolicy {
    /// `{ times: 5, backoff: 1s..1min }` or `{ times: 5, delay: 1s }`, or the number of times alone: how often a request is
    /// tried again. What is not said is as in ``RetryPolicy/request``.
    static var requestRetry: Self {
        let expected = "a mapping such as { times: 5, backoff: 1s..1min }, or a number of times"
        return FieldType(expected, schema: ["type": ["object", "integer"]]) { node, report in
            var fields = Fields(node, in: "retry", short: "times", report)
            let times = fields.optional("times", .int(0...1000))
            let delay = fields.optional("delay", .duration(.milliseconds(1) ... .seconds(86_400)))
            let backoff = fields.optional("backoff", .durationRange)
            let jitter = fields.optional("jitter", .fraction)
            if delay != nil, backoff != nil {
                report.add("'delay' and 'backoff' are two ways to wait; give one", at: fields.location(of: "delay"))
            }
            guard fields.finish() else { return nil }
            var policy = RetryPolicy.request
            policy.times = times ?? policy.times
            policy.jitter = jitter ?? policy.jitter
            if let delay { policy.backoff = .constant(delay.interval) }
            if let backoff {
                policy.backoff = .exponential(from: backoff.lowerBound.interval, upTo: backoff.upperBound.interval)
            }
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
