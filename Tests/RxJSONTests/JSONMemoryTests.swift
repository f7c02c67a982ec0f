import RxJSON
import Testing

struct JSONMemoryTests {
    static let texts = [
        "null", "12", "[]", "{}", #""short""#, #""a text that is longer than fifteen bytes""#, "[1,2,3]",
        #"{"a":1,"b":[true,{"c":"a\"b"}]}"#, "[{},{},{}]", #"{"a key longer than fifteen bytes":null}"#,
        " [ [ ] , { \"x\" : \"\\\\\" } ] ",
    ]

    /// The estimate for a text is that for its value, or slightly more.
    @Test(arguments: texts)
    func estimateOfTextMatchesValue(text: String) throws {
        let (estimated, memory) = (JSON.memory(parsing: Array(text.utf8)), try JSON(parsing: text).memory)
        #expect(memory...(memory * 2 + 256) ~= estimated, "\(estimated), of the value \(memory)")
    }

    /// Invalid JSON is estimated without a hang or a crash.
    @Test(arguments: ["\"", "\"\\", "\"abc\\\"", "[[[", "{\"", ":::", "\"\\u00"])
    func invalidTextIsEstimated(text: String) {
        #expect(JSON.memory(parsing: Array(text.utf8)) >= 0)
    }
}
