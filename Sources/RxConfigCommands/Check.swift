import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl check`.
    package static func check(run: @escaping Run) -> Subcommand {
        Subcommand(
            "check", "check a configuration, or each of several, without running it", [.configs], [.strict, .json],
            example: "rxwatchctl check --strict /etc/rxwatchd", run: run)
    }
}

extension CommandLineOption {
    package static let strict = flag(
        "strict", "exit with status 78 also for warnings and notices, such as of paths that do not exist")
}
