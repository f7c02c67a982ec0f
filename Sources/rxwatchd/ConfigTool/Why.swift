import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let why = Subcommand.why { arguments in
        EventHistory.run(arguments[.event], in: arguments[.directory], asJSON: arguments.contains(.json))
    }
}
