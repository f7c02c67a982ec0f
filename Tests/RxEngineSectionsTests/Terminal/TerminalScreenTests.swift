import SeededRandom
import Testing

@testable import RxEngineSections

@Suite struct TerminalScreenTests {
    private static let table = TextTable<SectionTitle, Item>(
        columns: [
            TerminalColumn("NAME") { name(of: $0) }, TerminalColumn("VERSION", alignment: .right) { "\($0.version)" },
            TerminalColumn("STATE", width: 2...10) { $0.id % 3 == 0 ? "läuft" : "ok" },
        ], title: { $0.value.hasSuffix("'") ? nil : $0.value })

    /// Names that are wide, combined, hostile and long.
    private static func name(of item: Item) -> String {
        switch item.id % 7 {
        case 0: "日本\(item.version) 語\(item.id)"
        case 1: "e\u{301}te\u{301}" + String(repeating: "\u{301}", count: item.version)
        case 2: "\u{1B}[2J\(item.id)\n"
        case 3: String(repeating: "long ", count: item.version * 9)
        case 4: item.version == 0 ? "ete" : "e\u{301}te"
        default: "unit \(item.id)"
        }
    }

    /// The terminal shows exactly the table after every update and resize.
    @Test(arguments: [false, true]) func terminalShowsTheTable(marksChanges: Bool) {
        for seed in 0..<UInt64(80) {
            var random = SplitMix64(seed: seed)
            var size = TerminalSize(columns: random.within(1...60), rows: random.within(1...20))
            var screen = TerminalScreen(Self.table, size: size, marksChanges: marksChanges)
            var terminal = TerminalEmulator(size)
            for step in 0..<30 {
                switch random.below(10) {
                case 0:
                    size = TerminalSize(columns: random.within(1...60), rows: random.within(1...20))
                    terminal.resize(to: size)
                    screen.resize(to: size)
                case 1: screen.update(to: random.sections(ids: 5, items: 30))
                case 2: screen.update(to: [])
                case 3: screen.update(to: screen.sections)
                default: screen.update(to: random.edited(screen.sections, edits: random.within(1...5)))
                }
                terminal.write(screen.draw())
                func comment() -> Comment { "seed \(seed), step \(step), \(size)" }
                #expect(terminal.lines == Self.trimmed(screen.lines), comment())
                #expect(terminal.boldLines == Self.bold(screen, terminal), comment())
                #expect(screen.draw() == "", comment())
                #expect(!terminal.isCursorVisible, comment())
            }
        }
    }

    /// A line is drawn again if its style alone has changed.
    @Test func itemsHaveStyles() {
        var table = TextTable<SectionTitle, Item>(
            columns: [TerminalColumn("") { "unit \($0.id)" }], title: { _ in nil })
        table.style = { $0.version == 0 ? "" : "31" }
        var screen = TerminalScreen(table, size: TerminalSize(columns: 20, rows: 5), marksChanges: true)
        func show(_ version: Int) -> String {
            screen.update(to: [Section(SectionTitle("a"), items: [Item(id: 1, version: version)])])
            return screen.draw()
        }
        _ = show(0)
        #expect(show(1) == "\u{1B}[1;1H\u{1B}[1;31munit 1\u{1B}[0m")
        #expect(show(1) == "\u{1B}[1;1H\u{1B}[31munit 1\u{1B}[0m")
        #expect(show(1) == "")
    }

    /// Lines at the end may be empty.
    private static func trimmed(_ lines: [String]) -> [String] {
        Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }

    private static func bold(_ screen: TerminalScreen<SectionTitle, Item>, _ terminal: TerminalEmulator) -> [Bool?] {
        screen.frame.prefix(terminal.lines.count).map { !$0.text.isEmpty && $0.style == "1" }
    }

    @Test func changedItemDrawsTheRestOfItsLineOnly() {
        var screen = TerminalScreen(Self.table)
        screen.update(to: sections("A 5 12 19"))
        _ = screen.draw()
        screen.update(to: sections("A 5 12v1 19"))
        #expect(screen.draw() == "\u{1B}[4;16H1  läuft")
    }

    @Test func shorterTableIsErasedBelow() {
        var screen = TerminalScreen(Self.table)
        screen.update(to: sections("A 5 12 19"))
        _ = screen.draw()
        screen.update(to: sections("A 12"))
        #expect(screen.draw() == "\u{1B}[3;6H12        0  läuft\u{1B}[4;1H\u{1B}[J")
    }

    @Test func equalSectionsDrawNothing() {
        var screen = TerminalScreen(Self.table)
        screen.update(to: sections("A 5"))
        #expect(screen.draw().hasPrefix("\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[H\u{1B}[2J"))
        screen.update(to: sections("A 5"))
        #expect(screen.draw() == "")
        screen.invalidate()
        #expect(screen.draw().hasPrefix("\u{1B}[?25l"))
    }

    @Test func closingShowsTheCursorBelowTheTable() {
        for rows in 1...6 {
            let size = TerminalSize(columns: 40, rows: rows)
            var (screen, terminal) = (TerminalScreen(Self.table, size: size), TerminalEmulator(size))
            #expect(screen.close() == "")
            screen.update(to: sections("A 5 12"))
            terminal.write(screen.draw())
            let lines = terminal.lines
            terminal.write(screen.close())
            #expect(terminal.isCursorVisible)
            // A table as high as the screen scrolls by one line.
            #expect(terminal.lines == (rows > 4 ? lines : Array(lines.dropFirst())))
            #expect(terminal.row == min(lines.count, rows - 1) && terminal.column == 0)
            #expect(screen.close() == "")
        }
    }

    @Test func changesAreMarkedUntilTheNextUpdate() {
        var screen = TerminalScreen(Self.table, marksChanges: true)
        func marked() -> [String] {
            screen.frame.dropFirst().filter { $0.style == "1" && $0.text.count > 1 }.map(\.text)
        }
        screen.update(to: sections("A 5"))
        #expect(marked().count == 1)
        screen.update(to: sections("A 5v1 12 | B 19"))
        #expect(marked().map { $0.prefix(7) } == ["unit 5 ", "unit 12", "unit 19"])
        // A move is not a change.
        screen.update(to: sections("B 19 5v1 | A 12"))
        #expect(marked().isEmpty)
        screen.update(to: sections("B 19v1 5v1 | A 12"))
        #expect(marked().map { $0.prefix(7) } == ["unit 19"])
        screen.update(to: screen.sections)
        #expect(marked().isEmpty)
    }
}
