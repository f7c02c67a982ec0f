/// A column of a table of items: its heading, its width, and what it shows of an item.
///
/// ```swift
/// TerminalColumn("PID", alignment: .right) { (process: Process) in "\(process.pid)" }
/// TerminalColumn("COMMAND", width: 10...40, text: \Process.command)
/// ```
public struct TerminalColumn<Item>: Sendable {
    /// The side of the column at which its text is.
    public enum Alignment: Sendable {
        /// Text begins at the left.
        case left
        /// Text ends at the right, as numbers do.
        case right
    }

    /// The text above the column.
    public let heading: String
    /// The least and the greatest width, in characters of the terminal.
    public let width: ClosedRange<Int>
    /// The side at which the text is.
    public let alignment: Alignment
    /// Returns what the column shows of an item.
    public let text: @Sendable (Item) -> String

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - heading: the text above the column. If no column has one, no line is used for them.
    ///   - width: the least and the greatest width. In between, the column is as wide as its widest text; if there is
    ///     too little room in a line, the widest columns become narrower.
    ///   - alignment: the side at which the text is.
    ///   - text: returns what the column shows of an item. It is called for visible items only.
    @preconcurrency
    public init(
        _ heading: String, width: ClosedRange<Int> = 1...1000, alignment: Alignment = .left,
        text: @escaping @Sendable (Item) -> String
    ) {
        (self.heading, self.width, self.alignment, self.text) = (heading, width, alignment, text)
    }
}
