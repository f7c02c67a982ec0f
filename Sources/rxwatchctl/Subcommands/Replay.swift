import RxCommandLine
import RxPipelines

extension Subcommand {
    static let replay = Subcommand(
        "replay", "show what recorded events would do, in virtual time and without doing it", [.recording],
        [.journal, .since, .directory, .configuration, .against, .length, .result, .json],
        example: "rxwatchctl replay --config new.yaml --against /etc/rxwatchd certs.jsonl"
    ) { arguments throws(UsageError) in
        let length = try arguments.duration(.length)
        let other = arguments.contains(.against) ? arguments[.against] : nil
        let trial = ConfigTrial(
            arguments[.configuration], try events(arguments), results: arguments.all(.result), for: length,
            against: other)
        return trial.run(arguments[.recording], asJSON: arguments.contains(.json))
    }

    /// The events that the arguments name.
    private static func events(_ arguments: Arguments) throws(UsageError) -> ConfigTrial.Events {
        guard arguments.contains(.journal) else {
            for option in [CommandLineOption.since, .directory] where arguments.contains(option) {
                throw UsageError("\(option.name) needs --journal")
            }
            return .recording
        }
        if let file = arguments.operands.first { throw UsageError("--journal and the file \(file) exclude each other") }
        return .journal(
            since: try arguments.duration(.since),
            directory: arguments.contains(.directory) ? arguments[.directory] : nil)
    }
}

extension Operand {
    fileprivate static let recording = optional(
        "FILE", default: "-",
        "a file with an event in each line: an object with node, time and value; - for standard input")
}

extension CommandLineOption {
    fileprivate static let journal = flag(
        "journal", "take the entries of the journal that the journal sources of the configuration match")
    fileprivate static let since = value("since", "DURATION", default: "1h", "with --journal: read so much of the past")
    fileprivate static let against = value(
        "against", "PATH", "print the difference to what they would do with this configuration")
}
