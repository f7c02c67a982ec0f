import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let `try` = Subcommand.try { arguments throws(UsageError) in
        let node = arguments[.trialNode]
        let events = ConfigTrial.InputKind.values(node: node, every: try arguments.duration(.every))
        return ConfigTrial(
            arguments[.configuration], events, with: arguments.all(.with), results: arguments.all(.result),
            for: try arguments.duration(.length)
        ).run(arguments[.values], asJSON: arguments.contains(.json))
    }
}
