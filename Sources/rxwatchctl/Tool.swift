import RxCommandLine
import RxConfigCommands
import RxControl

/// The command line of rxwatchctl.
enum Tool {
    static let commandLine = CommandLineProgram(
        "rxwatchctl", version: version,
        [
            .check(run: ConfigProgram.run), .test(run: ConfigProgram.run), .try(run: ConfigProgram.run),
            .replay(run: ConfigProgram.run), .show(run: ConfigProgram.run), .schema(run: ConfigProgram.run),
            .plan, .reload, .status, .graph, .resources, .fire, .spool, .sync, .tap, .marbles, .top,
            .why(run: ConfigProgram.run),
        ],
        notes: "Exit status: 0 on success, 78 if the configuration has errors, else 1. See rxwatchctl(1).")

    /// Runs the command that the arguments name.
    ///
    /// - Returns: the exit code.
    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        return commandLine.run(
            arguments, usageError: ExitCode.failure, output: { StandardStream.output.print($0) },
            errors: { StandardStream.error.print($0, in: .red) })
    }
}
