/// A set of statuses, such as 200-399.
public struct HTTPStatuses: Sendable, Hashable, CustomStringConvertible {
    /// The ranges of the set.
    public let ranges: [ClosedRange<Int>]

    /// Creates the set of the statuses in any of the ranges.
    public init(_ ranges: ClosedRange<Int>...) {
        self.init(ranges)
    }

    /// Creates the set of the statuses in any of the ranges.
    public init(_ ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// Parses statuses (`204`) and ranges (`200-399`); `nil` if one is malformed or not between 100 and 999.
    public init?(_ texts: [String]) {
        var ranges: [ClosedRange<Int>] = []
        for text in texts {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.status)
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last
            else { return nil }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }

    /// Returns whether `status` is in the set.
    public func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }

    /// The ranges in words: `200-399, 418`.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
    }

    private static func status(_ text: Substring) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text)
        else { return nil }
        return status >= 100 ? status : nil
    }
}
