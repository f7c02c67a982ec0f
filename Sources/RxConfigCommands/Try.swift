import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl try`.
    package static func `try`(run: @escaping Run) -> Subcommand {
        Subcommand(
            "try", "show what events of your own would do, in virtual time and without doing it",
            [.trialNode, .values],
            [.configuration, .every, .length, .with, .result, .json],
            example: "rxwatchctl try --for 1min certs event.json", run: run)
    }
}

extension Operand {
    package static let trialNode = required("NODE", "the source that emits the events, or the pipeline that gets them")
    package static let values = optional(
        "FILE", default: "-", "a file with an event as JSON, or one in each line; - for standard input")
}

extension CommandLineOption {
    package static let configuration = value(
        "config", "PATH", default: ConfigDirectories.standardPath, "read this file or directory of the configuration")
    package static let every = value("every", "DURATION", default: "0s", "let this time pass between two events")
    package static let length = value("for", "DURATION", default: "1h", "end after this virtual time")
    package static let with = value(
        "with", "OTHER=JSON|FILE",
        "let this other node emit the value, or those in the file, before the events; may be repeated")
    package static let result = value(
        "result", "PIPELINE=JSON", "let the sources in the steps of this pipeline emit this value; may be repeated")
}
