/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Says whether the config at `path` is good: in a line on standard output if it is, and otherwise what is wrong
    /// with it on standard error.
    package static func isGood(_ path: String) -> Bool {
        do {
            StandardStream.output.print("\(path): good: \(try Plan.load(path).summary)")
            return true
        } catch {
            StandardStream.error.print("\(error)")
            return false
        }
    }
}
