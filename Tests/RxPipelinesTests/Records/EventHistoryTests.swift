import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// What `rxwatchctl why` finds in a journal.
@Suite(.balanced) struct EventHistoryTests {
    private let journal = TestJournal()

    private func add(
        _ message: String, _ id: String, _ cause: String, second: Int, more: [String: String] = [:],
        unit: String = "rxwatchd.service"
    ) throws {
        var fields = ["MESSAGE": message, "RX_EVENT_ID": id, "RX_CAUSE": cause, "_SYSTEMD_UNIT": unit]
        fields["RX_KIND"] = "event"
        fields.merge(more) { $1 }
        try journal.add([fields.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }], at: second)
    }

    private func lines(_ name: String) -> [String] {
        EventHistory.answer(name, in: .directory(journal.path)).message.split(separator: "\n").map(String.init)
    }

    @Test func recordsOfEventAreInOrderOfTime() throws {
        try add("before", "t:r:1", "t:1", second: 0, more: ["RX_PIPELINE": "p"])
        try add(
            "ran\nid", "t:r:2.5f", "t:2", second: 3,
            more: ["RX_PIPELINE": "q", "RX_SINK": "command", "RX_KIND": "sink"])
        try add("two", "t:r:2", "t:2", second: 1, more: ["RX_PIPELINE": "long", "RX_SINK": "journal"])
        try add("forged", "t:r:2", "t:2", second: 2, unit: "other.service")
        let answer = EventHistory.answer("t:2", in: .directory(journal.path))
        let lines = answer.message.split(separator: "\n")
        #expect(lines.first == "event t:r:2")
        // The times are those of the host's zone.
        #expect(lines.dropFirst().first?.wholeMatch(of: #/  on 2023-11-1[45]/#) != nil)
        #expect(
            lines.dropFirst(2).prefix(2).allSatisfy { $0.wholeMatch(of: #/  \d\d:\d\d:2[13]\.000  .*/#) != nil })
        #expect(
            lines.dropFirst(2).map { $0.dropFirst(16) } == [
                "+0 ms     long/journal  two", "+2000 ms  q/command     ran", "                        id",
            ])
        #expect(answer.exitCode == 0 && answer.details["id"] == "t:r:2" && answer.details["others"] == [])
        let records = answer.details["records"]?.array ?? []
        #expect(records.map { $0["MESSAGE"] } == ["two", "ran\nid"])
        #expect(records.map { $0["time"] } == [1_700_000_001, 1_700_000_003])
        // The id of a part names this part alone.
        #expect(self.lines("t:r:2.5f").count == 4 && self.lines("t:r:2").count == 3)
    }

    /// The priority of a record, unless it is that of most.
    @Test func priorityIsShown() throws {
        let more = ["RX_PIPELINE": "p", "RX_SINK": "http"]
        try add("no", "t:r:1", "t:1", second: 1, more: more.merging(["PRIORITY": "3"]) { $1 })
        try add("retried", "t:r:1", "t:1", second: 2, more: more.merging(["PRIORITY": "5"]) { $1 })
        try add("done", "t:r:1", "t:1", second: 3, more: more.merging(["PRIORITY": "6"]) { $1 })
        #expect(
            lines("t:1").dropFirst(2).map { $0.dropFirst(16) } == [
                "+0 ms     err     p/http  no", "+1000 ms  notice  p/http  retried",
                "+2000 ms          p/http  done",
            ])
    }

    /// What a row says already is not repeated, and a new day has a line.
    @Test func messageIsShownWithoutNamesOfPlace() throws {
        try add("p: http failed: no", "t:r:1", "t:1", second: 1, more: ["RX_PIPELINE": "p", "RX_SINK": "http"])
        try add("p failed: map", "t:r:1", "t:1", second: 2, more: ["RX_PIPELINE": "p"])
        try add("pp: note", "t:r:1", "t:1", second: 100_000, more: ["RX_PIPELINE": "p"])
        let lines = lines("t:1")
        #expect(
            lines.filter { $0.contains("ms") }.map { $0.dropFirst(16) } == [
                "+0 ms         p/http  failed: no", "+1000 ms      p       failed: map",
                "+99999000 ms  p       pp: note",
            ])
        #expect(lines.filter { $0.hasPrefix("  on ") }.count == 2 && lines.count == 6)
    }

    /// Times begin with that of the source's event, if a record has it.
    @Test func timesAreSinceEmission() throws {
        let more = ["RX_SOURCE": "t", "RX_PIPELINE": "p", "RX_SOURCE_TIME": "1699999999.75"]
        try add("done", "t:r:1", "t:1", second: 1, more: more)
        let lines = lines("t:1")
        #expect(lines.count == 4 && lines[2].hasSuffix(":19.750  emitted by t"))
        #expect(lines[3].hasSuffix(":21.000  +1250 ms  p  done"))
    }

    /// What the source emitted comes first, as far as a line has room.
    @Test func valueOfSourceIsShown() throws {
        let value = #"{"path":"\#(String(repeating: "a", count: 300))"}"#
        let more = ["RX_SOURCE": "files", "RX_SOURCE_VALUE": value, "RX_PIPELINE": "p", "RX_SINK": "command"]
        try add("done", "t:a:1", "t:1", second: 1, more: more)
        try add("before", "t:a:1", "t:1", second: 0)
        let answer = EventHistory.answer("t:1", in: .directory(journal.path))
        let line = answer.message.split(separator: "\n").dropFirst(2).first
        #expect(line?.dropFirst(16) == "emitted by files: \(value.prefix(200))…")
        #expect(try answer.details["value"] == JSON(parsing: Array(value.utf8)))
    }

    /// A cause names an event of each run of its source.
    @Test func latestRunIsShown() throws {
        try add("old", "t:a:2", "t:2", second: 9)
        try add("new", "t:b:2", "t:2", second: 10)
        let lines = lines("t:2")
        #expect(lines.first == "event t:b:2" && lines.last == "other events with this cause: t:a:2" && lines.count == 4)
        #expect(self.lines("t:a:2").first == "event t:a:2")
    }

    @Test func nothingFoundIsAnError() throws {
        try add("old", "t:a:2", "t:2", second: 9)
        let none = EventHistory.answer("t:3", in: .directory(journal.path))
        #expect(none.exitCode == 1)
        #expect(
            none.message.hasPrefix(
                "no record in the journal in '\(journal.path)' has RX_EVENT_ID=t:3 or RX_CAUSE=t:3; an event that a step"
            ))
        #expect(!none.message.contains("by hand"))
        let missing = EventHistory.answer("t:3", in: .directory("/nonexistent/journal"))
        #expect(missing.exitCode == 1 && missing.message.contains("/nonexistent/journal"))
    }

    /// Without a journal the id may be right.
    @Test func missingJournalIsNamed() {
        let empty = TemporaryDirectory()
        let answer = EventHistory.answer("t:3", in: .directory(empty.path))
        #expect(answer.message == "the journal in '\(empty.path)' has no files that you may read")
        #expect(answer.exitCode == 1)
        func message(_ hasFiles: Bool) -> String {
            EventHistory.message(finding: "t:3", in: EventHistory.host, hasFiles: hasFiles)
        }
        #expect(
            message(false).hasPrefix("this host has no journal that you may read")
                && message(false).contains("'rxwatchctl tap --lifecycle'"))
        #expect(message(true).hasPrefix("no record in the journal has RX_EVENT_ID=t:3 or RX_CAUSE=t:3; an event"))
        #expect(message(true).contains("by hand"))
    }

    @Test(arguments: [
        ("a:r:5", "a:r:5"), ("a:r:5.2f", "a:r:5"), ("a.b:r:5.2f.3", "a.b:r:5"), ("a.b:#x", "a.b:#x"), ("a", "a"),
        ("", ""),
    ])
    func partBelongsToEvent(part: String, id: String) {
        #expect(SourceEvent.id(ofPart: part) == id)
    }
}
