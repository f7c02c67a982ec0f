extension Duration {
    /// The longest duration that a setting may have, unless it has a reason of its own: a year.
    static let longestInConfig: Duration = .seconds(31_557_600)
}
