import RxDiagnostics
import RxEngine
import RxYAML

extension FieldType where Value == RetryPolicy {
    /// `{ times: 5, delay: 1s }` or `{ times: 5, backoff: 1s..1min, jitter: 0.2 }`.
    static var retryPolicy: Self {
        let expected = "a mapping such as { times: 5, backoff: 1s..1min }"
        return FieldType(expected, schema: ["type": "object"]) { node, context in
            if context.outline == nil, node.isNull || node.scalar.flatMap({ Int($0.text.text) }) != nil {
                context.report.add("\(haste); write for example { times: 3, delay: 1s }", at: node.location)
                return nil
            }
            var fields = Fields(node, in: "retry", context)
            let times = fields.optional("times", .int(0...1_000_000))
            let pause = fields.backoff()
            let jitter = fields.optional("jitter", .fraction)
            let isHasty = fields.breaks(.atLeastOne(["delay", "backoff"])) != nil
            guard fields.finish() else { return nil }
            guard !isHasty, let pause else {
                context.report.add("\(haste); give 'delay: 1s' or 'backoff: 1s..1min'", at: fields.location)
                return nil
            }
            return RetryPolicy(times: times, backoff: pause, jitter: jitter ?? 0, elementsReset: true)
        }
    }
}

/// What is wrong with not waiting.
private let haste = "a retry with no delay would try as fast as it can"

extension Fields {
    /// How long is waited before it is tried again: `delay` or `backoff`; `nil` where neither is given, or both, which
    /// is reported.
    mutating func backoff() -> RetryPolicy.Backoff? {
        let delay = optional("delay", .pause)
        let backoff = optional("backoff", .durationRange)
        if breaks(.atMostOne(["delay", "backoff"])) != nil {
            context.report.add("'delay' and 'backoff' are two ways to wait; give one", at: location(of: "delay"))
            return nil
        }
        if let delay { return .constant(delay.interval) }
        return backoff.map { .exponential(from: $0.lowerBound.interval, upTo: $0.upperBound.interval) }
    }
}

extension FieldType where Value == Duration {
    /// A duration that is longer than nothing.
    fileprivate static var pause: Self {
        let type = duration(.milliseconds(1) ... .seconds(86_400))
        return FieldType(type.expected, schema: type.schema) { node, context in
            if let text = node.scalar?.text.text, !node.isNull, (try? SystemdDuration.parse(text)) == .zero {
                context.report.add("\(haste); make it longer, such as 1s", at: node.location)
                return nil
            }
            return type.read(node, context)
        }
    }
}

extension FieldType where Value == ClosedRange<Duration> {
    private static var pattern: String {
        let end = SystemdDuration.pattern.dropFirst().dropLast()
        return #"^(?=.*[1-9].*\.\..*[1-9])\#(end)\.\.\#(end)$|\$\{"#
    }

    /// `1s..1min`.
    static var durationRange: Self {
        let expected = "two durations such as 1s..1min"
        return FieldType(expected, schema: ["type": "string", "pattern": .string(Self.pattern)]) { node, context in
            guard let text = node.scalar?.text.text, let dots = text.firstRange(of: "..") else {
                return context.report.wrong(node, expected)
            }
            do throws(SystemdDuration.Failure) {
                let first = try SystemdDuration.parse(String(text[..<dots.lowerBound]))
                let last = try SystemdDuration.parse(String(text[dots.upperBound...]))
                guard first > .zero else {
                    context.report.add("\(haste); make the first duration longer, such as 1s..1min", at: node.location)
                    return nil
                }
                guard first <= last else {
                    return context.report.wrong(node, "\(expected), the first the shorter")
                }
                return first...last
            } catch {
                context.report.add(error.message, at: node.location)
                return nil
            }
        }
    }
}

extension FieldType where Value == Double {
    /// From 0 to 1.
    static var fraction: Self {
        .scalar(
            "a number from 0 to 1",
            schema: [
                "type": ["number", "string"], "minimum": 0, "maximum": 1, "pattern": #"^[0-9.eE+-]+$|\$\{"#,
            ]
        ) { text in
            YAMLNode.Scalar.number(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }
}

extension FieldType where Value == LocatedText {
    /// The name of a node.
    static var node: Self {
        .text("the name of a source or a pipeline", example: "tick", pattern: NodeNames.pattern)
    }
}
