extension StringProtocol {
    /// The text without spaces at its end.
    package var trimmedAtEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}
