import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let replay = Subcommand.replay { arguments throws(UsageError) in
        let length = try arguments.duration(.length)
        let other = arguments.contains(.against) ? arguments[.against] : nil
        let trial = ConfigTrial(
            arguments[.configuration], try events(arguments), results: arguments.all(.result), for: length,
            against: other)
        return trial.run(arguments[.recording], asJSON: arguments.contains(.json))
    }

    /// The events that the arguments name.
    private static func events(_ arguments: Arguments) throws(UsageError) -> ConfigTrial.InputKind {
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
