import RxCommandLine
import RxPipelines

extension Subcommand {
    static let replay = Subcommand(
        "replay", "show what recorded events would do, in virtual time and without doing it", [.recording],
        [.configuration, .against, .length, .result, .json]
    ) { arguments throws(UsageError) in
        ConfigTrial(
            arguments[.configuration], .recording, results: arguments.all(.result),
            for: try arguments.duration(.length), against: arguments.contains(.against) ? arguments[.against] : nil
        ).run(arguments[.recording], asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let recording = optional(
        "FILE", default: "-",
        "a file with an event in each line: an object with node, time and value; - for standard input")
}

extension CommandLineOption {
    fileprivate static let against = value(
        "against", "PATH", "print the difference to what they would do with this configuration")
}
