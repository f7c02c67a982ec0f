/// Which random sources an ``OperatorLaw`` holds for.
public struct LawSourceKinds: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Makes a set of these bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Sources that emit whether or not anybody subscribes.
    public static let hot = LawSourceKinds(rawValue: 1)
    /// Sources that fail.
    public static let failing = LawSourceKinds(rawValue: 2)
    /// Sources that never end.
    public static let endless = LawSourceKinds(rawValue: 4)

    /// Cold sources that complete, and all other kinds.
    public static let all: LawSourceKinds = [.hot, .failing, .endless]
    /// Cold sources, also those that fail or never end.
    public static let cold: LawSourceKinds = [.failing, .endless]
}
