import RxCommandLine
import RxControl
import RxJQ
import RxPipelines

/// The operator's command line.
enum Tool {
    static let commandLine = CommandLineProgram(
        "rxwatchctl", version: version, [.check, .reload, .status],
        notes: "Exits with 0 on success, 78 if the config is bad and 1 otherwise. See rxwatchctl(1).")

    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        JQProgram.isolate()
        return commandLine.run(
            arguments, usageError: ExitCode.failure, output: { StandardStream.output.print($0) },
            errors: { StandardStream.error.print($0) })
    }
}
