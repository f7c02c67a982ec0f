import RxJSON
import Testing

@testable import RxLinux
@testable import RxPipelines

/// The events of the journal source.
struct JournalEventTests {
    private func entry(_ fields: [JournalField], truncated: Set<String> = []) -> JournalEntry {
        JournalEntry(
            fields: fields, truncated: truncated, cursor: "c", realtime: 1_700_000_000_000_001, monotonic: 2, boot: "b")
    }

    @Test(
        arguments: [
            ([JournalField("MESSAGE", "a")], [], ["MESSAGE": "a"]),
            (
                [JournalField("X", "1"), JournalField("MESSAGE", "a"), JournalField("X", "2"), JournalField("X", "3")],
                [],
                ["MESSAGE": "a", "X": ["1", "2", "3"]]
            ),
            // Bytes that are not UTF-8.
            ([JournalField("MESSAGE", bytes: [0x61, 0xFF])], [], ["MESSAGE": "a\u{FFFD}"]),
            // The names of cut fields, sorted.
            (
                [JournalField("MESSAGE", "a"), JournalField("B", "b")], ["MESSAGE", "B"],
                ["MESSAGE": "a", "B": "b", "__TRUNCATED": ["B", "MESSAGE"]]
            ),
        ] as [([JournalField], Set<String>, [String: JSON])])
    func valueHasEveryField(fields: [JournalField], truncated: Set<String>, expected: [String: JSON]) {
        var expected = expected
        expected["__CURSOR"] = "c"
        expected["__REALTIME_TIMESTAMP"] = 1_700_000_000_000_001
        let value = entry(fields, truncated: truncated).json
        #expect(value.object?.count == expected.count)
        for (name, field) in expected { #expect(value[name] == field, "\(name)") }
    }
}
