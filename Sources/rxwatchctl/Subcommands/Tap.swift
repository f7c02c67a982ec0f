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
        let hasColor = StandardStream.output.hasColor
        // Lost before lines that a recording leaves out, too.
        var missing = 0
        return try ControlClient(arguments).follow(
            .tap(nodes: arguments.operands, lifecycle: arguments.contains(.lifecycle))
        ) { line in
            if form == .recording, let lost = TapLine.missing(in: line) {
                missing += lost
                StandardStream.error.print(
                    "rxwatchctl: \(lost) events are missing here from the recording", in: .yellow)
            }
            let shown = TapLine.shown(line, as: form, missing: missing, hasColor: hasColor)
            if shown != nil { missing = 0 }
            return shown
        }
    }
}

extension Operand {
    static let nodes = repeated("NODE", "the name of a source or pipeline; default: all")
}

extension CommandLineOption {
    fileprivate static let lifecycle = flag(
        "lifecycle",
        "print failures, settled events and subscriptions, too, and when a node gets its first subscriber (running), "
            + "loses its last one (idle) or completes")
    fileprivate static let record = flag("record", "print a recording of the events for rxwatchctl replay")
}
