/// `stdout`: each event's value, a line of JSON on standard output.
struct StdoutSink: SinkKind {
    static func read(_ node: YAMLNode, _ report: Report) -> (any SinkKind)? {
        guard node.isNull else { return report.wrong(node, "nothing: stdout has no settings") }
        return StdoutSink()
    }

    func take(_ event: PipelineEvent, _ surroundings: SinkSurroundings) {
        surroundings.printLine(event.value.description)
    }
}
