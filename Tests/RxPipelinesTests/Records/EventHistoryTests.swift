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
        // The time is that of the host's zone.
        #expect(
            lines.dropFirst().prefix(2).allSatisfy {
                $0.wholeMatch(of: #/  2023-11-1[45] \d\d:\d\d:2[13]\.000  .*/#) != nil
            })
        #expect(
            lines.dropFirst().map { $0.dropFirst(27) } == [
                "+0 ms     long/journal  event  two", "+2000 ms  q/command     sink   ran",
                "                               id",
            ])
        #expect(answer.exitCode == 0 && answer.details["id"] == "t:r:2" && answer.details["others"] == [])
        let records = answer.details["records"]?.array ?? []
        #expect(records.map { $0["MESSAGE"] } == ["two", "ran\nid"])
        #expect(records.map { $0["time"] } == [1_700_000_001, 1_700_000_003])
        // The id of a part names this part alone.
        #expect(self.lines("t:r:2.5f").count == 3 && self.lines("t:r:2").count == 2)
    }

    /// The priority of a record, unless it is that of most.
    @Test func priorityIsShown() throws {
        let more = ["RX_PIPELINE": "p", "RX_SINK": "http"]
        try add("no", "t:r:1", "t:1", second: 1, more: more.merging(["PRIORITY": "3"]) { $1 })
        try add("retried", "t:r:1", "t:1", second: 2, more: more.merging(["PRIORITY": "5"]) { $1 })
        try add("done", "t:r:1", "t:1", second: 3, more: more.merging(["PRIORITY": "6"]) { $1 })
        #expect(
            lines("t:1").dropFirst().map { $0.dropFirst(27) } == [
                "+0 ms     err     p/http  event  no", "+1000 ms  notice  p/http  event  retried",
                "+2000 ms          p/http  event  done",
            ])
    }

    /// What the source emitted comes first, as far as a line has room.
    @Test func valueOfSourceIsShown() throws {
        let value = #"{"path":"\#(String(repeating: "a", count: 300))"}"#
        let more = ["RX_SOURCE": "files", "RX_SOURCE_VALUE": value, "RX_PIPELINE": "p", "RX_SINK": "command"]
        try add("done", "t:a:1", "t:1", second: 1, more: more)
        try add("before", "t:a:1", "t:1", second: 0)
        let answer = EventHistory.answer("t:1", in: .directory(journal.path))
        let line = answer.message.split(separator: "\n").dropFirst().first
        #expect(line == "  from files: \(value.prefix(200))…")
        #expect(try answer.details["value"] == JSON(parsing: Array(value.utf8)))
    }

    /// A cause names an event of each run of its source.
    @Test func latestRunIsShown() throws {
        try add("old", "t:a:2", "t:2", second: 9)
        try add("new", "t:b:2", "t:2", second: 10)
        let lines = lines("t:2")
        #expect(lines.first == "event t:b:2" && lines.last == "other events with this cause: t:a:2" && lines.count == 3)
        #expect(self.lines("t:a:2").first == "event t:a:2")
    }

    @Test func nothingFoundIsAnError() throws {
        try add("old", "t:a:2", "t:2", second: 9)
        let none = EventHistory.answer("t:3", in: .directory(journal.path))
        #expect(none.exitCode == 1)
        #expect(none.message == "no record in the journal in '\(journal.path)' has RX_EVENT_ID=t:3 or RX_CAUSE=t:3")
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
        #expect(message(true).hasPrefix("no record in the journal has RX_EVENT_ID=t:3 or RX_CAUSE=t:3; a daemon that"))
    }

    @Test(arguments: [
        ("a:r:5", "a:r:5"), ("a:r:5.2f", "a:r:5"), ("a.b:r:5.2f.3", "a.b:r:5"), ("a.b:#x", "a.b:#x"), ("a", "a"),
        ("", ""),
    ])
    func partBelongsToEvent(part: String, id: String) {
        #expect(SourceEvent.id(ofPart: part) == id)
    }
}
