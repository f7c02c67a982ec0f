import Glibc
import RxCommandLine
import RxControl
import RxJQ
import RxLinux
import RxPipelines

/// The program, from its arguments to its exit code.
enum Program {
    static let config = CommandLineOption.value(
        "config", "PATH", default: ConfigDirectories.standardPath,
        "read this file, or rxwatchd.yaml and rxwatchd.d/*.yaml in this directory")
    static let check = CommandLineOption.flag(
        "check", "check the configuration and exit with status 0, or 78 if it has errors")

    static let resources = CommandLineOption.flag(
        "resources", "print the numbers of live objects, too, if the records are not written to the journal")

    static let commandLine = CommandLineProgram(
        "rxwatchd", version: version, options: [config, check, resources], exclusive: [[check, resources]],
        notes: "See rxwatchd(8) and rxwatchd.yaml(5)."
    ) { arguments in
        guard arguments.contains(check) else { return runDaemon(arguments) }
        try? DaemonSignals.unblock()
        return ConfigCheck.run(arguments[config], for: .start)
    }

    static func run(arguments: [String]) -> Int32 {
        // Before anything else: a signal that arrives now stops the daemon in order, as a later one does.
        try? DaemonSignals.block()
        StandardStream.openMissing()
        Command.hide(JQProgram.homeVariable)
        if arguments == [EvaluatorPool.argument] {
            try? DaemonSignals.unblock()
            return EvaluatorPool.run()
        }
        return commandLine.run(
            arguments, usageError: ExitCode.failure, output: { StandardStream.output.print($0) },
            errors: { StandardStream.error.print($0, in: .red) })
    }

    private static func runDaemon(_ arguments: Arguments) -> Int32 {
        // If the reader of standard output exits, its lines fail and the daemon continues.
        signal(SIGPIPE, SIG_IGN)
        // A file that has reached its size limit makes its line fail, and nothing else.
        signal(SIGXFSZ, SIG_IGN)
        // If the kernel refuses, processes that commands leave in other sessions are found by other marks.
        try? RxLinux.CommandRunner.adoptOrphans()
        return Daemon(config: arguments[config], showsResources: arguments.contains(resources)).run()
    }
}
