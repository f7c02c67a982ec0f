import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let check = Subcommand.check { arguments in
        ConfigCheck.run(
            arguments[.config], for: .check, isStrict: arguments.contains(.strict), asJSON: arguments.contains(.json))
    }
}
