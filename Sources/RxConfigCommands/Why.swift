import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl why`.
    package static func why(run: @escaping Run) -> Subcommand {
        Subcommand(
            "why", "print what happened to an event, from the journal", [.event], [.json, .directory],
            example: "rxwatchctl why certs:12", run: run)
    }
}

extension Operand {
    package static let event = required("ID", "the RX_EVENT_ID or the RX_CAUSE of the event's records")
}

extension CommandLineOption {
    package static let directory = value(
        "directory", "PATH", "read the journal files in this directory in place of this host's journal")
}
