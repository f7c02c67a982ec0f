import ConfigTestSupport
import RxDiagnostics
import RxJSON
import Testing

struct YAMLReaderTests {
    @Test func orderAndLocationsAreKept() throws {
        let node = try yaml("b: [x, 'y']\na:\n  - { k: v }\n")
        let pairs = try #require(node.mapping)
        #expect(pairs.map(\.key) == ["b", "a"])
        #expect(pairs.map { "\($0.keyLocation)" } == ["t.yaml:1:1", "t.yaml:2:1"])
        let list = try #require(node["b"]?.sequence)
        #expect(list.map { "\($0.location)" } == ["t.yaml:1:5", "t.yaml:1:8"])
        #expect(list.map { $0.scalar?.isPlain } == [true, false])
        let inner = try #require(node["a"]?.sequence?.first)
        #expect("\(inner.location)" == "t.yaml:3:5")
        #expect(inner["k"].map { "\($0.location)" } == "t.yaml:3:10")
    }

    @Test func columnsCountCharacters() throws {
        #expect(try yaml("ключ: é x").mapping?.first?.value.location.column == 7)
        #expect(try yaml("\u{FEFF}a: b").mapping?.first?.value.location.column == 4)
    }

    @Test(arguments: ["", "\n\n", "# nothing\n", "---\n", "~", "--- null\n...\n", "\u{FEFF}"])
    func emptyFileIsEmptyMapping(text: String) throws {
        #expect(try yaml(text).mapping?.isEmpty == true)
    }

    @Test func aliasIsReplacedByItsNode() throws {
        let node = try yaml("a: &x { k: 1 }\nb: *x\nc: [*x, *x]")
        #expect(node.json(Report()) == ["a": ["k": 1], "b": ["k": 1], "c": [["k": 1], ["k": 1]]])
    }

    static let values: [(String, JSON)] = [
        ("null", .null), ("~", .null), ("true", true), ("False", false), ("yes", "yes"), ("5", 5), ("-1.5e3", -1500),
        ("'5'", "5"), ("0x1F", 31), ("0o17", 15), ("1_000", "1_000"), ("+3", 3), (".5", 0.5), ("5.", 5),
        ("1.2.3", "1.2.3"), ("nan", "nan"), ("infinity", "infinity"), ("1e999", "1e999"), ("!!str 5", "5"),
        ("!!int '5'", 5), ("! 5", "5"), ("!!map { a: !!seq [1] }", ["a": [1]]), ("|\n  a\n  b", "a\nb"),
        ("{ k: }", ["k": .null]),
    ]

    @Test(arguments: values)
    func nodesConvertToJSON(text: String, json: JSON) throws {
        #expect(try yaml("v: \(text)")["v"]?.json(Report()) == json)
    }

    @Test func numberMissingInJSONIsError() throws {
        let report = Report()
        #expect(try yaml("[1, .nan, -.inf]").json(report) == nil)
        #expect(
            complaints(report) == [
                "1:5: JSON has no number .nan; put it in quotes if the text is meant",
                "1:11: JSON has no number -.inf; put it in quotes if the text is meant",
            ])
    }
}
