/// A set of statuses, such as 200-399.
public struct HTTPStatuses: Sendable, Hashable, CustomStringConvertible {
    /// The ranges that it is made of.
    public let ranges: [ClosedRange<Int>]

    /// The statuses in any of these ranges.
    public init(_ ranges: ClosedRange<Int>...) {
        self.init(ranges)
    }

    /// The statuses in any of these ranges.
    public init(_ ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// The statuses that `texts` name, each one status (`204`) or a range (`200-399`); `nil` where one names none
    /// between 100 and 999.
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

    /// Whether `status` is one of them.
    public func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }

    /// `200-399, 418`.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
    }

    private static func status(_ text: Substring) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text)
        else { return nil }
        return status >= 100 ? status : nil
    }
}
