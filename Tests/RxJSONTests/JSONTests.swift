import RxJSON
import Testing

struct JSONTests {
    static let printed: [(JSON, String)] = [
        (.null, "null"), (true, "true"), (5, "5"), (-0.5, "-0.5"), (1e300, "1e+300"),
        (.number(1_790_000_000_000_000_000), "1790000000000000000"), (.number(1e17), "100000000000000000"),
        (.number(.nan), "null"), (.number(.infinity), "1.7976931348623157e+308"),
        ("a\"\\\n\r\t\u{1}\u{7F}é🙂/", #""a\"\\\n\r\t\u0001\u007fé🙂/""#),
        (["b": 1, "a": [.null, "x", .object(.init())]], #"{"b":1,"a":[null,"x",{}]}"#), ([], "[]"),
    ]

    @Test(arguments: printed)
    func valuesArePrinted(json: JSON, text: String) {
        #expect(json.description == text)
    }

    static let parsed: [(String, JSON)] = [
        ("null", .null), (" [1, 2.5, -3e2] ", [1, 2.5, -300]),
        (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": .null]]),
        (#""é🙂\u0000""#, "é🙂\u{0}"), (#"{"a":1,"a":2}"#, ["a": 2]), ("nan", .null),
        ("1e999", .number(.greatestFiniteMagnitude)), ("-1e999", .number(-.greatestFiniteMagnitude)), ("\u{FEFF}1", 1),
        ("123456789012345", 123_456_789_012_345), ("-1234567890123456789", -1_234_567_890_123_456_789), ("0.5e1", 5),
        ("\t[ ]\r\n", []), ("{ }", .object(.init())), ("[true,false]", [true, false]),
        (#""\"\\\/\b\f\n\r\t\u00e9""#, "\"\\/\u{8}\u{C}\n\r\t\u{E9}"), (#""\ud83d\ude42""#, "🙂"),
        (#""\ud83d""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude42x""#, "\u{FFFD}x"),

    ]

    @Test(arguments: parsed)
    func textsAreParsed(text: String, json: JSON) throws {
        #expect(try JSON(parsing: text) == json)
        #expect(JSON.canParse(Array(text.utf8)))
    }

    @Test func printedValuesRoundTrip() throws {
        let json: JSON = [
            "z": [1, 0.1, -1e-7, 123_456_789_012_345_678, "\u{0}\u{1F}\u{2028}\"", .null, true], "a": .object(.init()),
            "": [],
        ]
        let read = try JSON(parsing: json.description)
        #expect(read == json)
        #expect(read.description == json.description)
    }

    @Test func invalidUTF8IsReplaced() throws {
        #expect(try JSON(parsing: [0x22, 0xFF, 0x22]) == "\u{FFFD}")
    }

    @Test(arguments: [
        ("", "it is empty"), (" ", "it is empty"),
        ("{", "expected a key in double quotes at line 1, byte 2"),
        ("{a: 1}", "expected a key in double quotes at line 1, byte 2"),
        (#"{"a" 1}"#, "expected ':' at line 1, byte 6"), (#"{"a": 1 "b"}"#, "expected ',' or '}' at line 1, byte 9"),
        ("[1,]", "expected a value at line 1, byte 4"), ("[1\n, 2", "expected ',' or ']' at line 2, byte 4"),
        ("nope", "expected a value at line 1, byte 1"), ("nul", "expected a value at line 1, byte 1"),
        ("-", "expected a value at line 1, byte 1"), ("1e", "expected a value at line 1, byte 1"),
        ("1.2.3", "expected a value at line 1, byte 1"),
        ("NaN", "expected a value at line 1, byte 1"), ("'a'", "expected a value at line 1, byte 1"),
        ("1 2", "something follows the value at line 1, byte 3"),
        ("\"a\tb\"", "a control character in a text at line 1, byte 3"),
        ("\"\\n\n\"", "a control character in a text at line 1, byte 4"),
        (#""a"#, "expected '\"' at line 1, byte 3"), (#""\"#, "there is no such escape at line 1, byte 3"),
        (#""\x""#, "there is no such escape at line 1, byte 3"),
        (#""\u12g4""#, "expected four hexadecimal digits at line 1, byte 6"),
        (#""\u12"#, "expected four hexadecimal digits at line 1, byte 6"),
        (String(repeating: "[", count: 100_000), "nested deeper than 256 levels at line 1, byte 257"),
    ])
    func invalidTextsAreErrors(text: String, reason: String) {
        #expect(throws: JSONError("not JSON: \(reason)")) { try JSON(parsing: text) }
        #expect(!JSON.canParse(Array(text.utf8)))
    }

    @Test func deepestNestingIsParsed() throws {
        let text = String(repeating: "[", count: JSON.maximumDepth) + String(repeating: "]", count: JSON.maximumDepth)
        #expect(try JSON(parsing: text).description == text)
    }

    /// A hostile object costs no more than a large one.
    @Test(.timeLimit(.minutes(1))) func manyKeysAreParsedInLinearTime() throws {
        let members = (0..<50_000).map { #""k\#($0)":\#($0)"# }
        let json = try JSON(parsing: "{\((members + [#""k7":"last""#]).joined(separator: ","))}")
        #expect(json.object?.count == 50_000 && json["k7"] == "last" && json["k49999"] == 49_999)
    }

    @Test func objectsAreEqualInAnyOrder() {
        let one: JSON = ["a": 1, "b": [["c": 2, "d": 3]]]
        let other: JSON = ["b": [["d": 3, "c": 2]], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": [["c": 2, "d": 4]]])
        #expect(one != ["a": 1])
    }

    /// The keys have another order at every level: each value is compared once.
    @Test(.timeLimit(.minutes(1))) func nestedObjectsAreComparedInLinearTime() {
        var (one, other, different): (JSON, JSON, JSON) = (0, 0, 1)
        for _ in 0..<JSON.maximumDepth {
            one = ["a": one, "b": 1, "c": 2]
            other = ["a": other, "c": 2, "b": 1]
            different = ["a": different, "c": 2, "b": 1]
        }
        #expect(one == other)
        #expect(one != different)
    }

    @Test func stringsAreComparedByBytes() {
        let (composed, decomposed): (JSON, JSON) = ("\u{E9}", "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        let object: JSON = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object.object?.count == 2)
        #expect(object["e\u{301}"] == 2)
    }

    @Test func subscripts() {
        var json: JSON = ["a": ["b": [1, 2]]]
        #expect(json["a"]?["b"]?[1] == 2)
        #expect(json["a"]?["b"]?[2] == nil)
        #expect(json["x"] == nil && json["a"]?[0] == nil)
        json["c"] = "new"
        json["a"] = nil
        #expect(json == ["c": "new"])
        var number: JSON = 5
        number["a"] = 1
        #expect(number == 5)
    }

    static let truth: [(JSON, Bool)] = [
        (.null, false), (false, false), (true, true), (0, true), ("", true), ([], true),
    ]

    @Test(arguments: truth)
    func isTruthyAsInJQ(json: JSON, expected: Bool) {
        #expect(json.isTruthy == expected)
    }
}
