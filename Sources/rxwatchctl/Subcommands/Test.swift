import RxCommandLine
import RxPipelines

extension Subcommand {
    static let test = Subcommand(
        "test", "run the tests of a configuration in virtual time", [.config, .tests], [.json, .junit],
        example: "rxwatchctl test /etc/rxwatchd it-counts-failures-in-a-row"
    ) { arguments in
        let form: ConfigTests.Form = arguments.contains(.json) ? .json : arguments.contains(.junit) ? .junit : .text
        return ConfigTests.run(arguments[.config], Array(arguments.operands.dropFirst()), as: form)
    }
}

extension Operand {
    fileprivate static let tests = repeated("TEST", "the name of a test to run; default: all")
}

extension CommandLineOption {
    fileprivate static let junit = flag("junit", "print the results as JUnit XML")
}
