extension OperatorLaw {
    /// Runs the law on random sources, and records an issue with a small case if it does not hold.
    ///
    /// - Parameters:
    ///   - runs: the number of random cases.
    ///   - seed: the seed of the first case; the next one has the next seed.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func check(runs: Int = 100, seed: UInt64 = 1, file: String = #filePath, line: Int = #line) {
        if let failure = counterexample(runs: runs, seed: seed) { IssueLocation(file, line).record("\(failure)") }
    }
}
