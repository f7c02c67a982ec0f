/// The size of a terminal: columns and rows, each from 1 to 1,000.
public struct TerminalSize: Hashable, Sendable {
    /// The number of characters in a line.
    public let columns: Int
    /// The number of lines.
    public let rows: Int

    /// Creates a size. Numbers below 1 and above 1,000 are replaced by these.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 1000)
    }

    /// 80 columns and 24 rows, for a terminal of unknown size.
    public static let standard = TerminalSize(columns: 80, rows: 24)
}
