import RxCommandLine
import RxPipelines

extension Subcommand {
    static let `try` = Subcommand(
        "try", "show what events of your own would do, in virtual time and without doing it", [.node, .values],
        [.configuration, .every, .length, .result, .json],
        example: "rxwatchctl try --for 1min certs event.json"
    ) { arguments throws(UsageError) in
        let node = arguments[.node]
        let events = ConfigTrial.Events.values(node: node, every: try arguments.duration(.every))
        return ConfigTrial(
            arguments[.configuration], events, results: arguments.all(.result), for: try arguments.duration(.length)
        ).run(arguments[.values], asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let node = required("NODE", "the source that emits the events, or the pipeline that gets them")
    fileprivate static let values = optional(
        "FILE", default: "-", "a file with an event as JSON, or one in each line; - for standard input")
}

extension CommandLineOption {
    static let configuration = value(
        "config", "PATH", default: Plan.standardPath, "read this file or directory of the configuration")
    fileprivate static let every = value("every", "DURATION", default: "0s", "emit an event in each such period")
    static let length = value("for", "DURATION", default: "1h", "end after this virtual time")
    static let result = value(
        "result", "PIPELINE=JSON", "let the sources in the steps of this pipeline emit this value; may be repeated")
}
