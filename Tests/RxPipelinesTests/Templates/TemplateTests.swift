import ConfigTestSupport
import RxDiagnostics
import RxJQ
import RxPipelines
import Testing

struct TemplateTests {
    @Test(arguments: [
        ("beat {{.beat}} at {{.at}}", "beat 3 at noon"), ("{{.}}", #"{"beat":3,"at":"noon","list":["x",1]}"#),
        ("no expression", "no expression"), ("", ""), ("{{.list}}", #"["x",1]"#), ("{{.list[]}}", "x 1"),
        ("a{{empty}}b", "ab"),
        ("{{.missing}}", "null"), ("{{ .beat + 1 }}{{.at}}", "4noon"), (#"{{"{{"}}x{{"}}"}}"#, "{{x}}"),
        (#"{{"a}}b"}}"#, "a}}b"), (#"{{"\("}}")"}}"#, "}}"), ("{{{a:{b:1}}}}", #"{"a":{"b":1}}"#),
        ("{{ {a:{b:.beat}} | .a.b }}", "3"),
        (#"{"a":{"b":{{.beat}}}}"#, #"{"a":{"b":3}}"#), ("a }} b { c } {", "a }} b { c } {"),
        ("{{.beat # a comment\n}}!", "3!"),
        ("{{.at}}\nsecond {{.beat}}", "noon\nsecond 3"), ("é{{\"é🙂\"}}é", "éé🙂é"), ("{{.a, .b}}", "null null"),
    ])
    func templatesAreRendered(text: String, expected: String) throws {
        #expect(try Template(text, at: start).render(["beat": 3, "at": "noon", "list": ["x", 1]]) == expected)
    }

    @Test func variablesAreBound() throws {
        let template = try Template("{{.}} of {{$event.source}}", at: start, variables: ["event"])
        #expect(try template.render(5, ["event": ["source": "api"]]) == "5 of api")
    }

    @Test func errorFailsWholeTemplate() throws {
        let template = try Template("{{.a}} {{error(\"no\")}}", at: start)
        #expect(throws: JQError("no")) { try template.render(["a": 1]) }
    }

    @Test(arguments: [
        ("ab {{.a", ["1:4: this '{{' has no '}}'"]), ("{{", ["1:1: this '{{' has no '}}'"]),
        ("{{ (.a }}", ["1:8: a ')' is missing before this '}'"]),
        ("{{ (.a", ["1:1: this '{{' has no '}}'; a ')' inside it is missing, too"]),
        (#"{{ "a }}"#, [#"1:1: this '{{' has no '}}'; a '"' inside it is missing, too"#]),
        ("{{ .a # }}", ["1:1: this '{{' has no '}}'"]), ("{{ .a } }", ["1:7: '}' closes nothing that is open here"]),
        ("{{ .a] , [.b }}", ["1:6: ']' closes nothing that is open here"]),
        ("{{ .a) | (.b }}", ["1:6: ')' closes nothing that is open here"]),
        ("{{}}", ["1:3: an expression is missing; '.' stands for the value itself"]),
        ("x {{ }}", ["1:5: an expression is missing; '.' stands for the value itself"]),
        ("{{.a}} {{.b | nott}}", ["1:15: there is no function 'nott'; did you mean 'not' or '.nott'?"]),
        (
            "{{nott}} {{lenght}}",
            [
                "1:3: there is no function 'nott'; did you mean 'not' or '.nott'?",
                "1:12: there is no function 'lenght'; did you mean 'length' or '.lenght'?",
            ]
        ),
        ("{{.a b}}", ["1:6: unexpected 'b' in the jq expression"]),
        ("{{.a |}} {{.b}}", ["1:7: the expression ends too early; something is missing after '|'"]),
        ("{{if .a then 1}}", ["1:3: this 'if' needs a 'then' and an 'end'"]),
        ("{{$state}}", ["1:3: there is no variable $state here; there are none"]),
        ("{{# nothing\n}}", ["1:3: an expression is missing; '.' stands for the value itself"]),
    ])
    func invalidTemplatesAreErrors(text: String, expected: [String]) {
        #expect(complaints { () throws(Diagnostics) in _ = try Template(text, at: start) } == expected)
    }

    @Test func templateInBlockKeepsLocations() throws {
        let context = ReadingContext()
        let node = try yaml("v: |\n  {{ .a }}\n  {{ .b | nott }}")
        let text = try #require(node["v"].flatMap { FieldType.text("a template", example: "x").read($0, context) })
        #expect(
            complaints { () throws(Diagnostics) in _ = try Template(text) } == [
                "3:11: there is no function 'nott'; did you mean 'not' or '.nott'?"
            ])
    }
}
