import ConfigTestSupport
import RxDiagnostics
import Testing

/// The location of each character of a scalar, after YAML's processing.
struct YAMLLocationTests {
    /// The location of the `X` in the value of `v`.
    private func place(_ text: String) throws -> String {
        let scalar = try #require(try yaml(text)["v"]?.scalar).text
        let offset = try #require(scalar.text.unicodeScalars.enumerated().first { $0.element == "X" }?.offset)
        let place = scalar.location(at: offset)
        return "\(place.line):\(place.column)"
    }

    @Test(arguments: [
        ("v: abX", "1:6"), ("v: 'abX'", "1:7"), ("v: \"abX\"", "1:7"), ("v: 'it''s X'", "1:11"),
        ("v: \"a\\\"b\\x41\\u00e9 X\"", "1:20"), ("v: \"a\\\n   b X\"", "2:6"), ("v: éé X", "1:7"),
        ("v: |\n  a\n  bX", "3:4"), ("v: |\n\n  a\n\n  bX", "5:4"), ("v: |2 # c\n   aX", "2:5"),
        ("v: |-\n  a\n    X\n", "3:5"),
        ("v: >\n  a\n  bX", "3:4"), ("v: >\n  a\n\n\n  bX", "5:4"), ("v: a\n  b\n  cX", "3:4"),
        ("v: 'a\n  b\n\n  cX'", "4:4"),
        ("v: \"a  \n  b\n\n  cX\"", "4:4"), ("v: |\r\n  a\r\n  bX", "3:4"), ("v:\n  X", "2:3"),
    ])
    func placesOfCharactersAreFound(text: String, expected: String) throws {
        #expect(try place(text) == expected)
    }

    @Test func endIsAfterLastCharacter() {
        let text = LocatedText("ab\ncd", at: SourceLocation(file: "t.yaml", line: 3, column: 5))
        #expect(text.location(at: 1).column == 6)
        #expect("\(text.location(at: 5))" == "t.yaml:4:3")
        #expect("\(LocatedText("", at: start).location(at: 0))" == "t.yaml:1:1")
    }
}
