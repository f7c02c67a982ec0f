import RxEngine
import RxYAML

/// `stdout`, or `stdout: { onReplay: act }`: prints each event's value as a line of JSON on standard output.
struct StdoutSink: SinkKind {
    var policy = QueuePolicy()
    var settings = SinkSettings()
    var spool: Int? { policy.disk }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        guard !node.isNull else { return StdoutSink() }
        var fields = FieldReader(node, in: "stdout", context)
        let policy = QueuePolicy.read(&fields, hasOverlap: false)
        let settings = SinkSettings.read(&fields, recordsAll: false)
        return fields.finish() ? StdoutSink(policy: policy, settings: settings) : nil
    }

    func action(for event: PipelineEvent, in context: SinkContext) -> SinkAction {
        SinkAction("print \(event.value)", ["line": .string(event.value.description)])
    }

    func open(in context: SinkContext) -> any OpenSink {
        let (printLine, failures) = (context.printLine, LineFailureCounter(context))
        let queue = SinkQueue(context, policy, maximum: context.maximumBatch, endsEachJob: true) { event in
            event.value.description
        } batchWork: { batch, lines, _ in
            failures.work(batch, lines, printLine)
        } done: { _ in
            "a line printed"
        }
        return OpenLineSink(queue, failures)
    }
}
