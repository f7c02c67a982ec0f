import RxEngine
import RxYAML

/// `stdout`, or `stdout: { onReplay: act }`: each event's value, a line of JSON on standard output.
struct StdoutSink: SinkKind {
    var settings = SinkSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        guard !node.isNull else { return StdoutSink() }
        var fields = Fields(node, in: "stdout", context)
        let settings = SinkSettings.read(&fields)
        return fields.finish() ? StdoutSink(settings: settings) : nil
    }

    func open(in surroundings: SinkSurroundings) -> any OpenSink {
        OpenStdout(surroundings.printLine)
    }
}

/// A sink at work on standard output, which all share: lines wait there, and are counted here where they are dropped.
private final class OpenStdout: OpenSink {
    private let printLine: PrintLine
    private let drops = DropCount()

    init(_ printLine: @escaping PrintLine) {
        self.printLine = printLine
    }

    var dropped: Int { drops.value }

    func take(_ event: PipelineEvent) -> Bool {
        printLine(event.value.description, drops)
        return true
    }
}
