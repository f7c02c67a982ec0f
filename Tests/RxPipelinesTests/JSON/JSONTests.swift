import RxPipelines
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
    func prints(json: JSON, text: String) {
        #expect(json.description == text)
    }

    static let parsed: [(String, JSON)] = [
        ("null", .null), (" [1, 2.5, -3e2] ", [1, 2.5, -300]),
        (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": .null]]),
        (#""é🙂\u0000""#, "é🙂\u{0}"), (#"{"a":1,"a":2}"#, ["a": 2]), ("nan", .null),
        ("1e999", .number(.greatestFiniteMagnitude)), ("\u{FEFF}1", 1),
    ]

    @Test(arguments: parsed)
    func parses(text: String, json: JSON) throws {
        #expect(try JSON(parsing: text) == json)
    }

    @Test func parsesWhatItPrints() throws {
        let json: JSON = [
            "z": [1, 0.1, -1e-7, 123_456_789_012_345_678, "\u{0}\u{1F}\u{2028}\"", .null, true], "a": .object(.init()),
            "": [],
        ]
        let read = try JSON(parsing: json.description)
        #expect(read == json)
        #expect(read.description == json.description)
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        #expect(try JSON(parsing: [0x22, 0xFF, 0x22]) == "\u{FFFD}")
    }

    @Test(arguments: [
        ("", "not JSON: it is empty"), (" ", "not JSON: it is empty"),
        ("{", "not JSON: Unfinished JSON term at EOF at line 1, column 1"),
        ("[1,]", "not JSON: Expected another array element at line 1, column 4"),
        ("nope", "not JSON: Invalid literal at EOF at line 1, column 4"),
        ("1 2", "not JSON: Unexpected extra JSON values"),
        (String(repeating: "[", count: 100_000), "not JSON: Exceeds depth limit for parsing at line 1, column 257"),
    ])
    func refuses(text: String, message: String) {
        #expect(throws: JQError(message)) { try JSON(parsing: text) }
    }

    @Test func objectsAreEqualInAnyOrder() {
        let one: JSON = ["a": 1, "b": [["c": 2, "d": 3]]]
        let other: JSON = ["b": [["d": 3, "c": 2]], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": [["c": 2, "d": 4]]])
        #expect(one != ["a": 1])
    }

    @Test func textsAreComparedByTheirBytes() {
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
