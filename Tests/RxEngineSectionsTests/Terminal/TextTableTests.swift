import RxEngineSections
import Testing

@Suite struct TextTableTests {
    private struct Unit: Identifiable, Equatable {
        var id: String { name }
        let name: String
        let memory: Int
    }

    private typealias Units = Section<SectionTitle, Unit>

    private let table = TextTable(
        columns: [
            TerminalColumn("UNIT", text: \Unit.name), TerminalColumn("MEMORY", alignment: .right) { "\($0.memory)" },
            TerminalColumn("STATE", width: 4...12) { $0.memory > 0 ? "running" : "" },
        ], title: \SectionTitle.value)

    private let units = [
        Units(
            SectionTitle("Services"), items: [Unit(name: "cron", memory: 12), Unit(name: "sshd", memory: 123_456_789)]),
        Units(SectionTitle("Timers"), items: [Unit(name: "logrotate", memory: 0)]),
    ]

    @Test func tableHasHeadingsTitlesAndRows() {
        #expect(
            table.lines(of: units) == [
                "UNIT          MEMORY  STATE",
                "Services",
                "cron              12  running",
                "sshd       123456789  running",
                "Timers",
                "logrotate          0",
            ])
    }

    @Test func emptyTableHasHeadings() {
        #expect(table.lines(of: []) == ["UNIT  MEMORY  STATE"])
    }

    @Test func lineIsNotWiderThanTheScreen() {
        for columns in 1...40 {
            let lines = table.lines(of: units, in: TerminalSize(columns: columns, rows: 24))
            #expect(lines.count == 6)
            #expect(lines.allSatisfy { $0.count <= columns })
        }
        // The widest columns become narrower first; then the line is cut.
        #expect(table.lines(of: units, in: TerminalSize(columns: 24, rows: 24))[3] == "sshd    123456…  running")
        #expect(table.lines(of: units, in: TerminalSize(columns: 12, rows: 24))[3] == "s…  1…  run…")
        #expect(table.lines(of: units, in: TerminalSize(columns: 6, rows: 24))[3] == "…  … …")
    }

    @Test(arguments: [
        (7, ["UNIT", "Services", "cron", "sshd", "Timers", "logrotate"]),
        (6, ["UNIT", "Services", "cron", "sshd", "Timers", "logrotate"]),
        (5, ["UNIT", "Services", "cron", "sshd", "… 1 more"]), (4, ["UNIT", "Services", "cron", "… 2 more"]),
        (3, ["UNIT", "Services", "… 3 more"]), (2, ["UNIT", "… 3 more"]), (1, ["… 3 more"]),
    ])
    func tableHasAsManyLinesAsTheScreen(rows: Int, lines: [String]) {
        let shown = table.lines(of: units, in: TerminalSize(columns: 80, rows: rows))
        #expect(shown.count == lines.count)
        #expect(zip(shown, lines).allSatisfy { $0.hasPrefix($1) }, "\(shown)")
    }

    @Test func titlesThatDoNotFitAreNotCounted() {
        let empty = ["A", "B", "C"].map { Units(SectionTitle($0), items: []) }
        #expect(table.lines(of: empty, in: TerminalSize(columns: 80, rows: 3)) == ["UNIT  MEMORY  STATE", "A", "…"])
    }

    @Test func headingsAndTitlesMayBeLeftOut() {
        let table = TextTable<SectionTitle, Unit>(
            columns: [TerminalColumn("", text: \Unit.name), TerminalColumn("") { "\($0.memory)" }], title: { _ in nil })
        #expect(table.lines(of: units) == ["cron       12", "sshd       123456789", "logrotate  0"])
        #expect(
            TextTable<SectionTitle, Unit>(columns: [], title: \.value).lines(of: units) == [
                "Services", "", "", "Timers", "",
            ])
    }

    @Test func onlyItemsThatFitAreLookedAt() {
        let seen = Counter()
        let table = TextTable<SectionTitle, Item>(
            columns: [
                TerminalColumn("ID") {
                    seen.count += 1
                    return "\($0.id)"
                }
            ], title: \.value)
        let many = Section(SectionTitle("many"), items: (0..<10000).map { Item(id: $0) })
        let lines = table.lines(of: [many])
        #expect(lines.count == 24)
        #expect(lines.last == "… 9979 more")
        #expect(seen.count <= 24)
    }

    // Unchecked: one thread uses it.
    private final class Counter: @unchecked Sendable {
        var count = 0
    }

    @Test func sizeHasLimits() {
        #expect(TerminalSize(columns: 0, rows: -1) == TerminalSize(columns: 1, rows: 1))
        #expect(TerminalSize(columns: 1_000_000, rows: Int.max) == TerminalSize(columns: 1000, rows: 1000))
    }
}
