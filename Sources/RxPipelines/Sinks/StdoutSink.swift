/// `stdout`: each event's value, a line of JSON on standard output.
struct StdoutSink: SinkKind {
    static func read(_ node: YAMLNode, _ report: Report) -> (any SinkKind)? {
        guard node.isNull else { return report.wrong(node, "nothing: stdout has no settings") }
        return StdoutSink()
    }

    func open(in surroundings: SinkSurroundings) -> any OpenSink {
        ImmediateSink { surroundings.printLine($0.value.description) }
    }
}
