import RxCommandLine
import RxPipelines

extension Subcommand {
    static let why = Subcommand(
        "why", "print what happened to an event, from the journal", [.event], [.json, .directory],
        example: "rxwatchctl why certs:12"
    ) { arguments in
        EventHistory.run(arguments[.event], in: arguments[.directory], asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let event = required("ID", "the RX_EVENT_ID or the RX_CAUSE of the event's records")
}

extension CommandLineOption {
    static let directory = value(
        "directory", "PATH", "read the journal files in this directory in place of this host's journal")
}
