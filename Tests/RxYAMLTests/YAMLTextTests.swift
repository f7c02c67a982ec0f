import RxDiagnostics
import RxYAML
import Testing

/// Nodes as YAML text.
struct YAMLTextTests {
    private func node(_ text: String) throws -> YAMLNode { try YAMLReader.read(Array(text.utf8), file: "t.yaml") }

    @Test(arguments: [
        (
            "{a: 1, b: [x, '5', true, 'true', null, '', ' y', 'y ']}",
            "a: 1\nb:\n  - x\n  - \"5\"\n  - true\n  - \"true\"\n  - null\n  - \"\"\n  - \" y\"\n  - \"y \""
        ),
        ("{a: {b: {c: d}}, e: [], f: {}}", "a:\n  b:\n    c: d\ne: []\nf: {}"),
        ("[[1, [2]], {a: 1, b: {c: 2}}, []]", "- - 1\n  - - 2\n- a: 1\n  b:\n    c: 2\n- []"),
        (
            "{'a: b': 'c: d', '# x': '{{.y}}', '-': '- z', 'é': \"\\n\\u0007\"}",
            "\"a: b\": \"c: d\"\n\"# x\": \"{{.y}}\"\n\"-\": \"- z\"\n\"é\": \"\\n\\u0007\""
        ),
        ("{a: 0x1f, b: .5, c: ~, d: , e: 10s, f: /etc/x y}", "a: 0x1f\nb: .5\nc: ~\nd: null\ne: 10s\nf: /etc/x y"),
        ("x", "x"), ("[]", "[]"), ("'5'", "\"5\""),
    ])
    func textIsReadAsSameNode(text: String, expected: String) throws {
        let node = try node(text)
        #expect(node.text() == expected)
        let again = try self.node(node.text())
        #expect(again.json(Report()) == node.json(Report()))
    }

    @Test func membersHaveComments() throws {
        let text = try node("a: {b: 1, c: {d: 2}}").text { path, pair in
            path.count == 2 ? "\(path.joined(separator: ".")) at \(pair.keyLocation)" : nil
        }
        #expect(
            text == """
                a:
                  # a.b at t.yaml:1:5
                  b: 1
                  # a.c at t.yaml:1:11
                  c:
                    d: 2
                """)
    }
}
