import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let check = Subcommand.check { arguments in
        let paths = arguments.operands.isEmpty ? [arguments[.configs]] : arguments.operands
        return ConfigCheck.run(
            paths, for: .check, isStrict: arguments.contains(.strict), asJSON: arguments.contains(.json))
    }
}
