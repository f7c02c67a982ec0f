import ConfigTestSupport
import RxJQ
import RxJSON
import RxLinux
import Testing

/// The memory of values in Swift and in jq together, compared with the estimate for their texts.
@Suite(.serialized) struct JSONMemoryEstimateTests {
    static let texts: [(String, String)] = [
        ("empty objects", "[\(repeated("{}", 50_000))]"),
        ("objects of one member", "[\(repeated(#"{"a":1}"#, 30_000))]"),
        (
            "objects of nine members",
            "[\(repeated("{\((0..<9).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}", 8_000))]"
        ),
        ("one object of many members", "{\((0..<30_000).map { "\"key \($0)\":\($0)" }.joined(separator: ","))}"),
        ("empty arrays", "[\(repeated("[]", 100_000))]"), ("numbers", "[\(repeated("1", 200_000))]"),
        ("short strings", "[\(repeated("\"ab\"", 100_000))]"),
        ("strings of twenty bytes", "[\(repeated("\"abcdefghijabcdefghij\"", 50_000))]"),
        ("one string", "\"\(String(repeating: "x", count: 3_000_000))\""),
    ]

    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    @Test(arguments: texts)
    func estimateIsUpperBound(name: String, text: String) throws {
        let program = try JQProgram(".", at: start)
        let arena = JQArena(compilingAfter: 0)
        _ = try program.run(JQValue(1), [:], in: arena)
        let bytes = Array(text.utf8)
        let before = AllocatedMemory.byteCount
        let json = try JSON(parsing: bytes)
        let value = JQValue(json)
        let outputs = try program.run(value, [:], in: arena)
        let taken = AllocatedMemory.byteCount - before
        let estimated = JSON.memory(parsing: bytes)
        #expect(taken <= estimated && estimated <= 4 * taken, "\(name): \(taken) taken, \(estimated) estimated")
        withExtendedLifetime((json, value, outputs)) {}
    }
}
