/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Says whether the config at `path` is good: in a line on standard output if it is, and otherwise what is wrong
    /// with it on standard error.
    ///
    /// Credentials that only the service has are not missed; which they are is said.
    ///
    /// - Returns: the exit code that says the same.
    package static func run(_ path: String) -> Int32 {
        do {
            let config = try LoadedConfig(path, .ofProcess(isCheck: true))
            let unknown = config.secrets.unknown.sorted()
            let rest = unknown.isEmpty ? "" : "; what only the service has was not looked at: "
            StandardStream.output.print(
                "\(path): good: \(config.plan.summary)\(rest)\(unknown.joined(separator: ", "))")
            return ExitCode.success
        } catch {
            StandardStream.error.print("\(error)")
            return ExitCode.badConfig
        }
    }
}
