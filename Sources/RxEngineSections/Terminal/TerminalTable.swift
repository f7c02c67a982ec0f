import RxEngine

/// A table on a terminal that a driver keeps up to date.
///
/// ```swift
/// let table = TerminalTable(
///     columns: [TerminalColumn("UNIT", text: \Unit.name), TerminalColumn("STATE", text: \Unit.state)],
///     title: \SectionTitle.value
/// ) { terminal.write($0) }
///
/// sections.drive(table.rx.sections).disposed(by: bag)
/// ```
///
/// Each value is drawn at once, and only what differs from what the terminal shows. The table needs no terminal itself:
/// its output goes to a closure. It occupies the screen from its first line; a program that wants back what was there
/// before switches to the alternate screen around it.
@MainActor
public final class TerminalTable<Header: Diffable, Item: Diffable>: SectionView {
    private var screen: TerminalScreen<Header, Item>
    private let write: @MainActor (String) -> Void

    /// Creates an empty table. It writes nothing until it has sections.
    ///
    /// - Parameters:
    ///   - columns: the columns, from left to right.
    ///   - size: the size of the terminal.
    ///   - marksChanges: whether the lines of items that the latest value has inserted or changed are bold.
    ///   - title: returns the line above the items of a section, or `nil` for none.
    ///   - write: writes to the terminal, on the main actor. It is called once for each change of the screen.
    @preconcurrency
    public init(
        columns: [TerminalColumn<Item>], size: TerminalSize = .standard, marksChanges: Bool = false,
        title: @escaping @Sendable (Header) -> String?, write: @escaping @MainActor (String) -> Void
    ) {
        screen = TerminalScreen(TextTable(columns: columns, title: title), size: size, marksChanges: marksChanges)
        self.write = write
    }

    /// Creates an empty table of which each item has a style of its own, see ``TextTable/style``.
    package init(
        columns: [TerminalColumn<Item>], size: TerminalSize, title: @escaping @Sendable (Header) -> String?,
        style: @escaping @Sendable (Item) -> String, write: @escaping @MainActor (String) -> Void
    ) {
        var table = TextTable(columns: columns, title: title)
        table.style = style
        screen = TerminalScreen(table, size: size)
        self.write = write
    }

    /// The sections that are shown.
    public var sections: [Section<Header, Item>] { screen.sections }

    /// The size of the terminal.
    public var size: TerminalSize { screen.size }

    /// The lines of the whole table, as plain text.
    public var lines: [String] { screen.lines }

    /// Shows `sections` in place of those that are shown.
    public func show(_ sections: [Section<Header, Item>]) {
        screen.update(to: sections)
        draw()
    }

    /// Draws the table for a new size of the terminal.
    public func resize(to size: TerminalSize) {
        screen.resize(to: size)
        draw()
    }

    /// Draws the whole table, since something else has written to the terminal.
    public func redraw() {
        screen.invalidate()
        draw()
    }

    /// Shows the cursor again, below the table. Showing sections then draws the whole table.
    public func close() {
        write(ifNotEmpty: screen.close())
    }

    private func draw() {
        write(ifNotEmpty: screen.draw())
    }

    private func write(ifNotEmpty output: String) {
        if !output.isEmpty { write(output) }
    }
}

extension TerminalTable: ReactiveCompatible {}
