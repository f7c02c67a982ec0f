import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl replay`.
    package static func replay(run: @escaping Run) -> Subcommand {
        Subcommand(
            "replay", "show what recorded events would do, in virtual time and without doing it", [.recording],
            [.journal, .since, .directory, .configuration, .against, .length, .result, .json],
            example: "rxwatchctl replay --config new.yaml --against /etc/rxwatchd certs.jsonl", run: run)
    }
}

extension Operand {
    package static let recording = optional(
        "FILE", default: "-",
        "a file with an event in each line: an object with node, time and value; - for standard input")
}

extension CommandLineOption {
    package static let journal = flag(
        "journal", "take the entries of the journal that the journal sources of the configuration match")
    package static let since = value("since", "DURATION", default: "1h", "with --journal: begin this long ago")
    package static let against = value(
        "against", "PATH", "print the difference to what the events would do with this configuration")
}
