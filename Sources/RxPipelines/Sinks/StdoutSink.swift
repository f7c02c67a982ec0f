import RxEngine
import RxYAML

/// `stdout`, or `stdout: { onReplay: act }`: each event's value, a line of JSON on standard output.
struct StdoutSink: SinkKind {
    var rules = QueuePolicy()
    var settings = SinkSettings()
    var spool: Int? { rules.disk }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        guard !node.isNull else { return StdoutSink() }
        var fields = Fields(node, in: "stdout", context)
        let rules = QueuePolicy.read(&fields, hasOverlap: false)
        let settings = SinkSettings.read(&fields)
        return fields.finish() ? StdoutSink(rules: rules, settings: settings) : nil
    }

    func open(in context: SinkContext) -> any OpenSink {
        let (printLine, failures) = (context.printLine, LineFailures(context))
        let queue = SinkQueue(context, rules, most: context.mostAtOnce, endsEachJob: true) { event in
            event.value.description
        } workOff: { batch, lines, _ in
            failures.work(batch, lines, printLine)
        }
        return OpenLineSink(queue, failures)
    }
}
