import Glibc
import RxCommandLine
import RxControl
import RxJQ
import RxPipelines

/// The program, from its arguments to its exit code.
enum Program {
    static let config = CommandLineOption.value(
        "config", "PATH", default: Plan.standardPath,
        "read this file, or rxwatchd.yaml and rxwatchd.d/*.yaml in this directory")
    static let check = CommandLineOption.flag("check", "check the config and exit: with 0 if it is good, 78 if not")

    static let commandLine = CommandLineProgram(
        "rxwatchd", version: version, options: [config, check], notes: "See rxwatchd(8) and rxwatchd.yaml(5)."
    ) { arguments in
        arguments.contains(check) ? ConfigCheck.run(arguments[config]) : runDaemon(arguments[config])
    }

    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        JQProgram.isolate()
        return commandLine.run(
            arguments, usageError: ExitCode.failure, output: { StandardStream.output.print($0) },
            errors: { StandardStream.error.print($0) })
    }

    private static func runDaemon(_ config: String) -> Int32 {
        // If the reader of standard output exits, lines are lost and the daemon stays.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow any more makes its line fail, and nothing else.
        signal(SIGXFSZ, SIG_IGN)
        return Daemon(config: config).run()
    }
}
