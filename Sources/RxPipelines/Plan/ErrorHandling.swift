import RxDiagnostics
import RxEngine

/// How a pipeline continues after a failure, and the receivers of the failed event: `onError:`.
package struct ErrorHandling: Sendable {
    var policy = ErrorPolicy.restart
    /// The sinks for failed events.
    var sinks: [PlannedSink] = []
    /// The pipelines for failed events.
    var pipelines: [LocatedText] = []
}

extension FieldType where Value == ErrorHandling {
    /// `restart`, `stop`, `exit`, or `{ to: [SINK or PIPELINE, …] }`.
    static var errorHandling: Self {
        let policies = FieldType<ErrorPolicy>.choice()
        let expected = "\(policies.expected), or { to: … } with sinks and pipelines"
        return FieldType(expected, schema: ["type": ["object", "string"]]) { node, context in
            if node.sequence != nil { return context.report.wrong(node, expected) }
            var fields = FieldReader(node, in: "onError", short: "policy", context)
            if node.scalar?.text.text == "retry" {
                return context.report.wrong(
                    node, expected,
                    advice: "; 'retry' of a sink repeats its work, and the step 'retry' restarts the steps before it")
            }
            let policy = fields.optional("policy", policies, "What the pipeline does after a failure; default: restart")
            let to =
                fields.optional(
                    "to", .oneOrMore(of: .failureTarget), "The sinks and pipelines that receive failed events") ?? []
            if let given = fields.breaks(.exactlyOne(["policy", "to"])) {
                context.report.add(
                    given.isEmpty
                        ? "onError needs 'to' with sinks or pipelines, or 'policy'"
                        : "a pipeline with 'to' continues after a failure, so 'policy' has no effect; remove one of them",
                    at: fields.location)
            }
            guard fields.finish() else { return nil }
            var handling = ErrorHandling(policy: policy ?? .restart)
            for target in to {
                switch target {
                case .sink(let sink): handling.sinks.append(sink)
                case .pipeline(let name): handling.pipelines.append(name)
                }
            }
            return handling
        }
    }
}

/// A receiver of failed events.
private enum FailureTarget {
    case sink(PlannedSink)
    case pipeline(LocatedText)
}

extension FieldType where Value == FailureTarget {
    /// A sink, or a pipeline's name. A name that is a kind of sink stands for that sink.
    fileprivate static var failureTarget: Self {
        let (sink, names) = (FieldType<PlannedSink>.sink, FieldType<LocatedText>.node)
        return FieldType(
            "\(sink.expected), or the name of a pipeline",
            schema: ["anyOf": [["$ref": "#/$defs/sink"], names.schema]]
        ) { node, context in
            if let text = node.scalar?.text.text, !Registry.sinks.names.contains(text) {
                return names.read(node, context).map { .pipeline($0) }
            }
            return sink.read(node, context).map { .sink($0) }
        }
    }
}
