import Glibc
import RxPipelines

/// The program, from its arguments to its exit code.
enum Program {
    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        JQProgram.isolate()
        let options: Options
        do {
            options = try Options(arguments)
        } catch {
            StandardStream.error.print("rxwatchd: \(error.message)")
            return ExitCode.failure
        }
        switch options.action {
        case .help: print(Options.usage)
        case .version: print("rxwatchd \(version)")
        case .check: return ConfigCheck.run(options.config)
        case .run:
            // Whoever reads standard output may go: what is written then is lost, and the daemon stays.
            signal(SIGPIPE, SIG_IGN)
            // A file that may not grow any more is a line that fails, and nothing else.
            signal(SIGXFSZ, SIG_IGN)
            return Daemon(config: options.config).run()
        }
        return ExitCode.success
    }
}
