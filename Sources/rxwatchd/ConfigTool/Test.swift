import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let test = Subcommand.test { arguments in
        let form: ConfigTests.Form = arguments.contains(.json) ? .json : arguments.contains(.junit) ? .junit : .text
        return ConfigTests.run(arguments[.config], Array(arguments.operands.dropFirst()), as: form)
    }
}
