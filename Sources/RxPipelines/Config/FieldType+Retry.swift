import RxDiagnostics
import RxEngine
import RxYAML

extension FieldType where Value == RetryPolicy {
    /// When a failure is retried: `{ times: 5, delay: 1s }` or `{ times: 5, backoff: 1s..1min, jitter: 0.2 }`.
    static var retryPolicy: Self {
        let expected = "a mapping such as { times: 5, backoff: 1s..1min }"
        return FieldType(expected, schema: ["type": "object"]) { node, context in
            if context.outline == nil, node.isNull || node.scalar.flatMap({ Int($0.text.text) }) != nil {
                context.report.add("\(noPause); write for example { times: 3, delay: 1s }", at: node.location)
                return nil
            }
            var fields = FieldReader(node, in: "retry", context)
            let times = fields.optional(
                "times", .int(0...1_000_000), "How many attempts follow the first one; default: no limit")
            let pause = fields.backoff()
            let jitter = fields.optional(
                "jitter", .fraction, "The random part by which a pause is shortened, from 0 to 1; default: 0")
            let hasNoPause = fields.breaks(.atLeastOne(["delay", "backoff"])) != nil
            guard fields.finish() else { return nil }
            guard !hasNoPause, let pause else {
                context.report.add("\(noPause); give 'delay: 1s' or 'backoff: 1s..1min'", at: fields.location)
                return nil
            }
            return RetryPolicy(times: times, backoff: pause, jitter: jitter ?? 0, elementsReset: true)
        }
    }
}

/// The message about a retry without a pause.
private let noPause = "a retry without a delay repeats as fast as it can"

extension FieldReader {
    /// Reads the pause before a retry, `delay` or `backoff`; `nil` if neither is given, or after reporting that both
    /// are.
    mutating func backoff() -> RetryPolicy.Backoff? {
        let delay = optional("delay", .pause, "The pause before each attempt")
        let backoff = optional(
            "backoff", .durationRange, "The first and the longest pause; the pause doubles with each attempt")
        if breaks(.atMostOne(["delay", "backoff"])) != nil {
            context.report.add("'delay' and 'backoff' exclude each other; remove one", at: location(of: "delay"))
            return nil
        }
        if let delay { return .constant(delay.interval) }
        return backoff.map { .exponential(from: $0.lowerBound.interval, upTo: $0.upperBound.interval) }
    }
}

extension FieldType where Value == Duration {
    /// A duration longer than 0.
    fileprivate static var pause: Self {
        let type = duration(.milliseconds(1) ... .seconds(86_400))
        return FieldType(type.expected, schema: type.schema) { node, context in
            if let text = node.scalar?.text.text, !node.isNull, (try? SystemdDuration.parse(text)) == .zero {
                context.report.add("\(noPause); make it longer, such as 1s", at: node.location)
                return nil
            }
            return type.read(node, context)
        }
    }
}

extension FieldType where Value == ClosedRange<Duration> {
    private static var pattern: String {
        let end = SystemdDuration.pattern.dropFirst().dropLast()
        return #"^(?=.*[1-9].*\.\..*[1-9])(?!.*\.\.\.)\#(end)\.\.\#(end)$|\$\{"#
    }

    /// A range of durations, such as `1s..1min`.
    static var durationRange: Self {
        let expected = "two durations such as 1s..1min"
        return FieldType(expected, schema: ["type": "string", "pattern": .string(Self.pattern)]) { node, context in
            guard let text = node.scalar?.text.text, let dots = text.firstRange(of: "..") else {
                return context.report.wrong(node, expected)
            }
            if text[dots.upperBound...].hasPrefix(".") {
                context.report.add("'\(text)' has three dots; write two, as in 1s..1min", at: node.location)
                return nil
            }
            do throws(SystemdDuration.Failure) {
                let ends = [String(text[..<dots.lowerBound]), String(text[dots.upperBound...])]
                let (first, last) = (try SystemdDuration.parse(ends[0]), try SystemdDuration.parse(ends[1]))
                guard first > .zero else {
                    context.report.add(
                        "\(noPause); make the first duration longer, such as 1s..1min", at: node.location)
                    return nil
                }
                guard first <= last else {
                    return context.report.wrong(node, "\(expected), the first the shorter")
                }
                for (end, duration) in zip(ends, [first, last]) {
                    context.noticeUnit(of: end, duration, at: node.location)
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
    /// A number from 0 to 1.
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
