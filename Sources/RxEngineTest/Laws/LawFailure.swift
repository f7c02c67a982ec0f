import RxMarbles

/// A small case in which an ``OperatorLaw`` does not hold.
public struct LawFailure: Hashable, Sendable {
    /// The name of the law.
    public let law: String
    /// The seed of the run, which repeats it: `check(runs: 1, seed:)`.
    public let seed: UInt64
    /// The kind and the marble diagram of each source.
    public let sources: [String]
    /// The random numbers of the case, from 0 to 4.
    public let numbers: [Int]
    /// The frame in which both subscriptions were disposed; `nil` if they ran to their ends.
    public let disposal: Int?
    /// The diagrams of both sides, one above the other.
    public let comparison: MarbleComparison
    /// The subscriptions to sources that differ, if the law compares them: a title and both diagrams for each.
    public let subscriptions: [String]
}

extension LawFailure: CustomStringConvertible {
    /// The law, the seed, the case and the diagrams of both sides that differ.
    public var description: String {
        var lines = ["the law does not hold: \(law)", "seed \(seed)"]
        lines += sources.enumerated().map { "source \($0): \($1)" }
        if !numbers.isEmpty { lines.append("numbers: \(numbers.map(String.init).joined(separator: ", "))") }
        if let disposal { lines.append("disposed in frame \(disposal)") }
        if !comparison.isEqual || subscriptions.isEmpty { lines.append("\(comparison)") }
        return (lines + subscriptions).joined(separator: "\n")
    }
}
