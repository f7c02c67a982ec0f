/// The text of sections as a table: a line of headings, and for each section a title and a line for each item.
///
/// ```swift
/// let table = TextTable(columns: [
///     TerminalColumn("UNIT", text: \Unit.name),
///     TerminalColumn("MEMORY", alignment: .right) { "\($0.megabytes) MiB" },
/// ], title: \SectionTitle.value)
///
/// print(table.lines(of: sections).joined(separator: "\n"))
/// ```
///
/// A character that would control a terminal is shown as `U+FFFD`, so that text from outside cannot. Format characters
/// and variation selectors, of which terminals disagree on the width, are left out.
public struct TextTable<Header: Diffable, Item: Diffable>: Sendable {
    /// The columns, from left to right.
    public let columns: [TerminalColumn<Item>]
    /// Returns the line above the items of a section, or `nil` for none.
    public let title: @Sendable (Header) -> String?
    /// Returns the parameters of the escape code for the line of an item, such as `31` for red; empty for none.
    package var style: (@Sendable (Item) -> String)?

    private static var gap: String { "  " }

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - columns: the columns, from left to right.
    ///   - title: returns the line above the items of a section, or `nil` for none.
    @preconcurrency
    public init(columns: [TerminalColumn<Item>], title: @escaping @Sendable (Header) -> String?) {
        (self.columns, self.title) = (columns, title)
    }

    /// Returns the lines that show `sections`, without spaces at their ends.
    ///
    /// There are at most as many as `size` has rows, none wider than its columns. If not all items fit, the last line
    /// has the number of the others.
    ///
    /// - Complexity: O(*s* + *r*) for *s* sections and *r* rows. Items that do not fit are not looked at.
    public func lines(of sections: [Section<Header, Item>], in size: TerminalSize = .standard) -> [String] {
        frame(of: sections, in: size).map(\.text)
    }

    /// A line on the screen.
    struct Line: Equatable {
        let text: String
        let width: Int
        /// The parameters of the escape code of the line; empty for none.
        let style: String

        static var bold: String { "1" }

        init(_ text: String, limit: Int, style: String = "") {
            let line = TerminalText(text.trimmedAtEnd, limit: limit).trimmedAtEnd
            (self.text, self.width, self.style) = (line.text, line.width, style)
        }
    }

    private enum Entry {
        case title(String)
        case row([TerminalText], style: String)
    }

    /// The lines that show `sections`. Those of `marked` items are bold, as headings and titles are.
    func frame(
        of sections: [Section<Header, Item>], in size: TerminalSize, marked: Set<Item.ID> = []
    ) -> [Line] {
        let headings =
            size.rows > 1 && columns.contains { !$0.heading.isEmpty }
            ? columns.map { TerminalText($0.heading, limit: size.columns) } : nil
        let room = headings == nil ? size.rows : size.rows - 1
        var entries = entries(of: sections, limit: room + 1, size, marked)
        var isCut = false
        if entries.count > room {
            entries.removeSubrange((room - 1)...)
            isCut = true
        }
        let rows = entries.compactMap { if case .row(let cells, _) = $0 { cells } else { nil } }
        let widths = widths(of: rows + (headings.map { [$0] } ?? []), in: size)
        var lines = headings.map { [line($0, widths, size, style: Line.bold)] } ?? []
        for entry in entries {
            switch entry {
            case .title(let title): lines.append(Line(title, limit: size.columns, style: Line.bold))
            case .row(let cells, let style): lines.append(line(cells, widths, size, style: style))
            }
        }
        if isCut {
            let count = sections.reduce(0) { $0 + $1.items.count } - rows.count
            lines.append(Line(count == 0 ? "…" : "… \(count) more", limit: size.columns))
        }
        return lines
    }

    private func entries(
        of sections: [Section<Header, Item>], limit: Int, _ size: TerminalSize, _ marked: Set<Item.ID>
    ) -> [Entry] {
        var entries: [Entry] = []
        for section in sections where entries.count < limit {
            if let title = title(section.header) { entries.append(.title(title)) }
            for item in section.items.prefix(limit - entries.count) {
                let cells = columns.map { TerminalText($0.text(item), limit: size.columns) }
                let isMarked = !marked.isEmpty && marked.contains(item.id)
                let styles = [isMarked ? Line.bold : "", style?(item) ?? ""].filter { !$0.isEmpty }
                entries.append(.row(cells, style: styles.joined(separator: ";")))
            }
        }
        return entries
    }

    private func line(_ cells: [TerminalText], _ widths: [Int], _ size: TerminalSize, style: String) -> Line {
        let texts = cells.indices.map { cells[$0].fitted(to: widths[$0], columns[$0].alignment == .right) }
        return Line(texts.joined(separator: Self.gap), limit: size.columns, style: style)
    }

    /// The width of each column: that of its widest text, within its limits, and less for the widest if a line is
    /// short.
    private func widths(of rows: [[TerminalText]], in size: TerminalSize) -> [Int] {
        let limits = columns.map { column in
            (
                least: min(max(column.width.lowerBound, 0), size.columns),
                most: min(max(column.width.upperBound, 0), size.columns)
            )
        }
        var widths = limits.map(\.least)
        for row in rows {
            for (index, cell) in row.enumerated() {
                widths[index] = max(widths[index], min(cell.width, limits[index].most))
            }
        }
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - size.columns
        while excess > 0 {
            let shrinkable = widths.indices.filter { widths[$0] > max(limits[$0].least, 1) }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var trimmedAtEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}
