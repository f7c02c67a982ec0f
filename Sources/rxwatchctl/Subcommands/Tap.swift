import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let tap = Subcommand(
        "tap", "print the events of sources and pipelines of the daemon as they come", [.nodes],
        [.lifecycle, .record, .json, .control],
        example: "rxwatchctl tap --record certs >certs.jsonl"
    ) { arguments throws(UsageError) in
        let form: TapLine.Form = arguments.contains(.record) ? .recording : arguments.contains(.json) ? .json : .text
        return try ControlClient(arguments).follow(
            .tap(nodes: arguments.operands, lifecycle: arguments.contains(.lifecycle)), asJSON: form == .json
        ) { line in
            // A recording has no field for the number of lost lines.
            if form == .recording, let missing = TapLine.missing(in: line) {
                StandardStream.error.print("rxwatchctl: \(missing) events are missing here from the recording")
            }
            return TapLine.shown(line, as: form)
        }
    }
}

extension Operand {
    static let nodes = repeated("NODE", "the name of a source or pipeline; default: all")
}

extension CommandLineOption {
    fileprivate static let lifecycle = flag(
        "lifecycle", "print failures, settled events, and when something begins and ceases to subscribe to a node, too")
    fileprivate static let record = flag("record", "print a recording of the events for rxwatchctl replay")
}
