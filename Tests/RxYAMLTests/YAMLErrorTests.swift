import ConfigTestSupport
import RxDiagnostics
import RxYAML
import Testing

struct YAMLErrorTests {
    @Test(arguments: [
        (
            "a: 1\nb: 2\na: 3\nb: 4",
            [
                "3:1: the key 'a' is already given at t.yaml:1:1; keep one of them",
                "4:1: the key 'b' is already given at t.yaml:2:1; keep one of them",
            ]
        ),
        ("a: { b: 1, b: 2 }", ["1:12: the key 'b' is already given at t.yaml:1:6; keep one of them"]),
        (
            "include: [*.log]",
            ["1:11: a text that begins with '*' must be in quotes, such as '*.log'"]
        ),
        (
            "message: {{.x}} ticks",
            [
                #"1:11: a text with '{{' in it must be in quotes, such as "{{.tick}} ticks""#
            ]
        ),
        ("x: { map: {{.x}} }", ["1:12: 'map' takes an expression, without '{{' and '}}'; write map: .x"]),
        (
            "- map: {{ .x + 1 }}",
            ["1:9: 'map' takes an expression, without '{{' and '}}'; write map: '.x + 1'"]
        ),
        ("- map: {{.x}} ticks", [#"1:9: a text with '{{' in it must be in quotes, such as "{{.tick}} ticks""#]),
        ("match: &*.log", ["1:8: a text that begins with '&' must be in quotes, such as '&*.log'"]),
        ("[a]: 1", ["1:1: a key must be a text, not a list"]),
        ("? {a: b}\n: 1", ["1:3: a key must be a text, not a mapping"]),
        ("? \n: 1", ["1:2: a key must be a text, not nothing"]),
        ("a: 1\n---\nb: 2", ["2:1: a second document begins here; a file holds only one"]),
        (
            "a: *b",
            [
                "1:4: the alias '*b' names no anchor '&b' above it; a text that begins with '*' must be in quotes, "
                    + "such as '*b'"
            ]
        ),
        ("a: &base 1\nb: *bsae", ["2:4: the alias '*bsae' names no anchor '&bsae' above it; did you mean 'base'?"]),
        ("a: &x [1, *x]", ["1:11: the alias '*x' is inside the node '&x' that it refers to; remove it"]),
        ("&x { a: { b: *x } }", ["1:14: the alias '*x' is inside the node '&x' that it refers to; remove it"]),
        ("a: !secret x", ["1:4: the tag '!secret' means nothing here; remove it"]),
        ("a: !!binary x", ["1:4: the tag 'tag:yaml.org,2002:binary' means nothing here; remove it"]),
        ("a: !!str [x]", ["1:4: the tag 'tag:yaml.org,2002:str' means nothing here; remove it"]),
        ("a: !!map [x]", ["1:4: the tag 'tag:yaml.org,2002:map' means nothing here; remove it"]),
        ("a:\n\t- b", ["2:1: YAML is indented with spaces, not with tabs"]),
        (
            "a: @b",
            [
                "1:4: a text that begins with '@' must be in quotes, such as '@b'"
            ]
        ),
        (
            "a: b: c",
            [
                "1:5: not YAML: mapping values are not allowed in this context; "
                    + "put a text that holds ': ' in quotes"
            ]
        ),
        (
            "a: [1, 2",
            [
                "1:9: the list that '[' begins at t.yaml:1:4 is not closed here; write ']' at its end, or ',' before its "
                    + "next item"
            ]
        ),
        (
            "a:\n  b: [1, 2\n  c: 3",
            [
                "3:4: the list that '[' begins at t.yaml:2:6 is not closed here; write ']' at its end, or ',' before its "
                    + "next item"
            ]
        ),
        (
            "a: { b: 1\nc: 2",
            [
                "2:2: the mapping that '{' begins at t.yaml:1:4 is not closed here; write '}' at its end, or ',' before "
                    + "its next key"
            ]
        ),
        ("a: [", ["1:5: a value, or the ']' or '}' of a list or mapping, is missing here; write it"]),
        ("a: [1, }", ["1:8: a value, or the ']' or '}' of a list or mapping, is missing here; write it"]),
        ("a: 'b", ["1:6: not YAML: found unexpected end of stream while scanning a quoted scalar; a quote is missing"]),
        (
            "a:\n  b: 1\n c: 2",
            [
                "3:2: not YAML: did not find expected key while parsing a block mapping "
                    + "that began on line 1; look at the indentation of this line and of those above, and put a value "
                    + "that goes on after a quote or a bracket in quotes as a whole"
            ]
        ),
        (
            "a: 1\nb\nc: 2",
            [
                "3:1: not YAML: could not find expected ':' while scanning a simple key "
                    + "that began on line 2; a key is followed by ': ', with the space"
            ]
        ),
        ("a: != 5", ["1:4: a text that begins with '!' must be in quotes, such as '!= …'"]),
        ("a: !x 5", ["1:4: the tag '!x' means nothing here; remove it"]),
        (
            "a: > 5",
            [
                "1:6: not YAML: did not find expected comment or line break while scanning a block scalar; "
                    + "'>' and '|' begin a text of several lines: put the whole value in quotes"
            ]
        ),
        (
            "a: [.b] | c",
            [
                "1:11: not YAML: did not find expected comment or line break while scanning a block scalar; "
                    + "'>' and '|' begin a text of several lines: put the whole value in quotes"
            ]
        ),
        ("a: \u{1}", ["1:4: a control character; remove it"]),
        ("a: b\nc: \0", ["2:4: a control character; remove it"]),
        ("a: \"\\q\"", ["1:5: not YAML: found unknown escape character while parsing a quoted scalar"]),
    ])
    func invalidTextsAreErrors(text: String, expected: [String]) {
        #expect(
            complaints { () throws(Diagnostics) in
                _ = try YAMLReader.read(Array(text.utf8), file: "t.yaml", expressionKeys: ["map"])
            } == expected)
    }

    @Test(arguments: [
        ([0x61, 0x3A, 0x20, 0xFF], "1:4"), ([0x61, 0x0A, 0xC3, 0xA9, 0xC3], "2:2"), ([0xFF, 0xFE, 0x61, 0x00], "1:1"),
        ([0xED, 0xA0, 0x80], "1:1"), ([0xC0, 0x80], "1:1"),
    ])
    func invalidUTF8HasLocation(bytes: [UInt8], place: String) {
        let found = complaints { () throws(Diagnostics) in _ = try YAMLReader.read(bytes, file: "t.yaml") }
        #expect(found == ["\(place): this is not UTF-8; save the file as UTF-8"])
    }

    @Test func errorShowsLine() {
        do throws(Diagnostics) {
            _ = try YAMLReader.read("a: 1\nb: [", file: "t.yaml")
            Issue.record("read what is not YAML")
        } catch {
            #expect("\(error)".hasSuffix("\nb: [\n    ^"))
        }
    }
}
