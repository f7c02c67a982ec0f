import RxMarbles

/// A small case in which an ``OperatorLaw`` does not hold.
public struct LawFailure: Hashable, Sendable {
    /// The name of the law.
    public let law: String
    /// The seed of the run, which repeats it: `check(runs: 1, seed:)`.
    public let seed: UInt64
    /// The kind and the marble diagram of each source.
    public let sources: [String]
    /// The numbers.
    public let numbers: [Int]
    /// The diagrams of both sides, one above the other.
    public let comparison: MarbleComparison
}

extension LawFailure: CustomStringConvertible {
    /// The law, the seed, the sources and the diagrams of both sides.
    public var description: String {
        var lines = ["the law does not hold: \(law)", "seed \(seed)"]
        lines += sources.enumerated().map { "source \($0): \($1)" }
        if !numbers.isEmpty { lines.append("numbers: \(numbers.map(String.init).joined(separator: ", "))") }
        return (lines + ["\(comparison)"]).joined(separator: "\n")
    }
}
