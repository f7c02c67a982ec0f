import Testing

@testable import RxLinux

/// The fields of entries, also of files that journald has not written.
@Suite struct JournalEntryFieldsTests {
    private func fields(_ data: [String], valueLimit: Int = 1000) -> JournalEntryFields {
        data.reduce(into: JournalEntryFields(valueLimit: valueLimit)) { fields, text in
            Array(text.utf8).withUnsafeBytes { fields.add($0) }
        }
    }

    @Test(arguments: [
        ("MESSAGE=hello", [JournalField("MESSAGE", "hello")]),
        ("A=", [JournalField("A", "")]),
        ("A==b=", [JournalField("A", "=b=")]),
        ("=x", []),
        ("nothing", []),
        ("", []),
        (String(repeating: "N", count: 64) + "=x", [JournalField(String(repeating: "N", count: 64), "x")]),
        (String(repeating: "N", count: 65) + "=x", []),
    ])
    func fieldHasNameAndValue(data: String, expected: [JournalField]) {
        let fields = fields([data])
        #expect(fields.list == expected && fields.truncated.isEmpty)
    }

    @Test(arguments: [(0, "", true), (4, "four", false), (3, "fou", true)])
    func valueIsCut(limit: Int, value: String, isCut: Bool) {
        let fields = fields(["A=four"], valueLimit: limit)
        #expect(fields.list == [JournalField("A", value)] && fields.truncated == (isCut ? ["A"] : []))
    }

    @Test func numberOfFieldsIsLimited() {
        let fields = fields((0..<3000).map { "A=\($0)" })
        #expect(fields.list.count == 2048 && fields.isFull)
        #expect(fields.list.last == JournalField("A", "2047"))
    }

    /// Names count, too: 2,048 names of 64 bytes leave less for the values.
    @Test func namesAndValuesAreLimitedTogether() {
        let name = String(repeating: "N", count: 64)
        let value = String(repeating: "v", count: 1000)
        let fields = fields((0..<2048).map { _ in "\(name)=\(value)" })
        #expect(fields.list.count == 2048 && fields.truncated == [name])
        #expect(fields.list.reduce(0) { $0 + $1.value.count } <= JournalEntryFields.limit - 64 * 985)
        let bytes = fields.list.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        #expect(bytes <= JournalEntryFields.limit + 64 * 2048)
    }
}
