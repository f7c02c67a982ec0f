/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Says whether the config at `path` is good: in a line on standard output if it is, and otherwise what is wrong
    /// with it on standard error.
    ///
    /// - Returns: the exit code that says the same.
    package static func run(_ path: String) -> Int32 {
        do {
            StandardStream.output.print("\(path): good: \(try Plan.load(path).summary)")
            return ExitCode.success
        } catch {
            StandardStream.error.print("\(error)")
            return ExitCode.badConfig
        }
    }
}
