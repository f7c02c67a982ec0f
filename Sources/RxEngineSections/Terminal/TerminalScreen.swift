/// A table on a terminal: a renderer whose output is the escape codes that update the terminal.
///
/// ```swift
/// var screen = TerminalScreen(table, size: size)
/// screen.update(to: sections)
/// write(screen.draw())
/// ```
///
/// It knows what the terminal shows, and draws only what differs from it. Any thread may use it, one at a time; a
/// ``TerminalTable`` is one of the main actor.
///
/// The escape codes are those that all terminals have: moving the cursor, erasing, bold text, and hiding the cursor.
public struct TerminalScreen<Header: Diffable, Item: Diffable>: SectionRenderer {
    /// The sections that are shown.
    public private(set) var sections: [Section<Header, Item>] = []
    /// The size of the terminal.
    public private(set) var size: TerminalSize
    /// The table that lays the sections out as lines of text.
    public let table: TextTable<Header, Item>
    /// Whether the lines of items that the latest update has inserted or changed are bold until the next one.
    public let marksChanges: Bool
    private var marked: Set<Item.ID> = []
    /// The lines that the terminal shows, or `nil` if it may show anything.
    private var drawn: [TextTable<Header, Item>.Line]?

    /// Creates a screen without sections, on a terminal that may show anything.
    ///
    /// - Parameters:
    ///   - table: what determines the text.
    ///   - size: the size of the terminal.
    ///   - marksChanges: whether the lines of items that the latest update has inserted or changed are bold.
    public init(_ table: TextTable<Header, Item>, size: TerminalSize = .standard, marksChanges: Bool = false) {
        (self.table, self.size, self.marksChanges) = (table, size, marksChanges)
    }

    /// The lines of the whole table, as plain text.
    public var lines: [String] { table.lines(of: sections, in: size) }

    /// Shows `sections`, and marks none of them as changed.
    public mutating func replaceAll(with sections: [Section<Header, Item>]) {
        self.sections = sections
        marked = []
    }

    /// Shows the value of the last stage, and marks the items that the stages have inserted or changed.
    ///
    /// Nothing stays marked from before, also if there are no stages.
    public mutating func apply(_ stages: [Changeset<Header, Item>]) {
        marked = []
        for stage in stages {
            sections = stage.value
            if marksChanges { mark(stage) }
        }
    }

    /// Takes a new size of the terminal, which ``draw()`` then draws anew.
    public mutating func resize(to size: TerminalSize) {
        self.size = size
        drawn = nil
    }

    /// Makes ``draw()`` draw everything anew, since something else has written to the terminal.
    public mutating func invalidate() {
        drawn = nil
    }

    /// Returns what to write to the terminal, so that it shows the table. It is empty if the terminal does already.
    ///
    /// - Complexity: as ``TextTable/lines(of:in:)``.
    public mutating func draw() -> String {
        let frame = frame
        var output = drawn == nil ? EscapeCode.begin : ""
        let shown = drawn ?? []
        for (row, line) in frame.enumerated() {
            output += patch(row: row, from: row < shown.count ? shown[row] : nil, to: line)
        }
        if frame.count < shown.count {
            output += EscapeCode.move(row: frame.count, column: 0) + EscapeCode.eraseBelow
        }
        drawn = frame
        return output
    }

    /// Returns what to write to the terminal, so that the cursor is visible and below the table.
    ///
    /// ``draw()`` then draws everything anew.
    public mutating func close() -> String {
        guard let shown = drawn else { return "" }
        drawn = nil
        return EscapeCode.move(row: max(shown.count, 1) - 1, column: 0) + EscapeCode.end
    }

    /// The lines that the terminal has to show.
    var frame: [TextTable<Header, Item>.Line] { table.frame(of: sections, in: size, marked: marked) }

    private mutating func mark(_ stage: Changeset<Header, Item>) {
        for index in stage.sections.inserted { marked.formUnion(stage.value[index].items.lazy.map(\.id)) }
        for path in stage.items.inserted + stage.items.updated {
            marked.insert(stage.value[path.section].items[path.item].id)
        }
    }

    private func patch(
        row: Int, from old: TextTable<Header, Item>.Line?, to new: TextTable<Header, Item>.Line
    ) -> String {
        if old == new { return "" }
        let kept = old.map { $0.style == new.style ? Self.commonStart($0.text.utf8, new.text.utf8) : 0 } ?? 0
        let text = String(new.text.unicodeScalars.dropFirst(kept))
        var output = EscapeCode.move(row: row, column: kept)
        output += new.style.isEmpty || text.isEmpty ? text : EscapeCode.style(new.style) + text + EscapeCode.plain
        // A line as wide as the terminal is never shorter than another: the cursor would be on its last character.
        if let old, old.width > new.width { output += EscapeCode.eraseRight }
        return output
    }

    /// How many characters at the beginning need not be drawn again: those that are ASCII, which are as many columns,
    /// and in either line have no combining mark behind them.
    private static func commonStart(_ left: String.UTF8View, _ right: String.UTF8View) -> Int {
        var (count, hasMark) = (0, false)
        var (left, right) = (left.makeIterator(), right.makeIterator())
        while true {
            let (one, other) = (left.next(), right.next())
            hasMark = one ?? 0 >= 0x80 || other ?? 0 >= 0x80
            guard let one, one == other, !hasMark else { break }
            count += 1
        }
        return hasMark ? max(count - 1, 0) : count
    }
}

extension TerminalScreen: Sendable where Header: Sendable, Item: Sendable, Item.ID: Sendable {}

/// The escape codes of terminals.
private enum EscapeCode {
    static let plain = "\u{1B}[0m"
    static let eraseRight = "\u{1B}[K"
    static let eraseBelow = "\u{1B}[J"
    /// Hides the cursor, cuts long lines off, and clears the screen.
    static let begin = "\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[H\u{1B}[2J"
    /// Begins a line, wraps long lines, and shows the cursor.
    static let end = "\r\n\u{1B}[?7h\u{1B}[?25h"

    static func style(_ parameters: String) -> String { "\u{1B}[\(parameters)m" }

    static func move(row: Int, column: Int) -> String {
        "\u{1B}[\(row + 1);\(column + 1)H"
    }
}
