import RxCommandLine
import RxPipelines

extension Subcommand {
    static let check = Subcommand(
        "check", "check a configuration without running it", [.config], [.strict, .json],
        example: "rxwatchctl check --strict /etc/rxwatchd"
    ) { arguments in
        ConfigCheck.run(
            arguments[.config], for: .check, isStrict: arguments.contains(.strict), asJSON: arguments.contains(.json))
    }
}

extension CommandLineOption {
    fileprivate static let strict = flag(
        "strict", "exit with status 78 also for warnings, and for paths that do not exist")
}
