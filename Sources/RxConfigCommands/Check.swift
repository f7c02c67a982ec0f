import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl check`.
    package static func check(run: @escaping Run) -> Subcommand {
        Subcommand(
            "check", "check a configuration without running it", [.config], [.strict, .json],
            example: "rxwatchctl check --strict /etc/rxwatchd", run: run)
    }
}

extension CommandLineOption {
    package static let strict = flag(
        "strict", "exit with status 78 also for warnings and notices, such as of paths that do not exist")
}
