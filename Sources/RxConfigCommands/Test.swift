import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl test`.
    package static func test(run: @escaping Run) -> Subcommand {
        Subcommand(
            "test", "run the tests of a configuration in virtual time", [.config, .tests], [.json, .junit],
            exclusive: [[.json, .junit]],
            example: "rxwatchctl test /etc/rxwatchd it-counts-failures-in-a-row", run: run)
    }
}

extension Operand {
    package static let tests = repeated("TEST", "the name of a test to run; default: all")
}

extension CommandLineOption {
    package static let junit = flag("junit", "print the results as JUnit XML")
}
