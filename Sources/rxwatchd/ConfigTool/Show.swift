import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let show = Subcommand.show { arguments in
        ConfigShow.run(arguments[.config], asJSON: arguments.contains(.json))
    }
}
