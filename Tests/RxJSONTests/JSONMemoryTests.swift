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

    /// The size of a value includes that of everything in it.
    @Test(arguments: [
        ("null", 16), (#""abc""#, 19), (#"[1,"ab"]"#, 50), (#"{"ab":"cde"}"#, 37), (#"{"a":[1],"b":{}}"#, 66),
        ("[{},{}]", 48), (#"{"a":{"b":[null]}}"#, 66),
    ])
    func sizeIncludesNestedValues(text: String, size: Int) throws {
        let value = try JSON(parsing: text)
        var (left, less) = (size, size - 1)
        let (fits, fitsInLess) = (value.takes(from: &left), value.takes(from: &less))
        #expect(fits && left == 0, "\(left) left of \(size)")
        #expect(!fitsInLess)
    }
}
