import ConfigTestSupport
import RxDiagnostics
import RxJQ
import SeededRandom
import Testing

/// The locations and messages of errors in expressions.
struct JQErrorTests {
    static let wrong: [(String, [String])] = [
        (".ok | nott", ["1:7: there is no function 'nott'; did you mean 'not' or '.nott'?"]),
        (
            ".a | $x | fii(1)",
            [
                "1:6: there is no variable $x here; the variables are $event, $state",
                "1:11: there is no function 'fii'",
            ]
        ),
        (".a |\n  .b |\n  lenght # c", ["3:3: there is no function 'lenght'; did you mean 'length' or '.lenght'?"]),
        (".a | split", ["1:6: the function 'split' takes 1 or 2 arguments, not 0; for the field write '.split'"]),
        ("limit(3)", ["1:1: the function 'limit' takes 2 arguments, not 1"]),
        ("map", ["1:1: the function 'map' takes 1 argument, not 0; for the field write '.map'"]),
        (".a) | (.b", ["1:3: ')' closes nothing that is open here"]),
        ("(.a | b ]", ["1:9: a ')' is missing before this ']'"]),
        (".a | }", ["1:6: '}' closes nothing that is open here"]),
        ("'a'", ["1:1: jq has no single quotes; write a text in double quotes"]),
        ("\"abc", ["1:5: the expression ends too early; a '\"' is missing"]),
        (".\"a", ["1:4: the expression ends too early; a '\"' is missing"]),
        ("\"\\(1", ["1:5: the expression ends too early; a ')' is missing"]),
        ("{a: 1", ["1:6: the expression ends too early; a '}' is missing"]),
        ("[.[] |  ", ["1:7: the expression ends too early; something is missing after '|'"]),
        ("1 + ", ["1:4: the expression ends too early; something is missing after '+'"]),
        ("# only a comment", ["1:1: an expression is missing; '.' stands for the value itself"]),
        ("def f: 1;", ["1:10: the expression ends too early"]),
        ("", ["1:1: an expression is missing; '.' stands for the value itself"]),
        (" \n ", ["1:1: an expression is missing; '.' stands for the value itself"]),
        ("if .a then 1", ["1:1: this 'if' needs a 'then' and an 'end'"]),
        ("{a b}", ["1:4: unexpected 'b' in the jq expression"]),
        ("[.[] | {a: .b,, c}]", ["1:15: unexpected ',' in the jq expression"]),
        ("{\"a\": 1 \"b\": 2}", ["1:9: unexpected '\"b\"' in the jq expression"]),
        ("1; 2", ["1:2: unexpected ';' in the jq expression"]),
        ("import \"a\" as a; .", ["1:1: unexpected 'import' in the jq expression"]),
        ("include \"a\"; .", ["1:1: unexpected 'include' in the jq expression"]),
        ("label $x | break $y", ["1:12: there is no label $y around this 'break $y'"]),
        ("break", ["1:1: 'break' needs the label it goes to: break $name"]),
        ("\"\\x\"", ["1:1: invalid escape"]), ("1..2", ["1:1: invalid numeric literal"]),
        ("\"é é\" | nott", ["1:9: there is no function 'nott'; did you mean 'not' or '.nott'?"]),
        (".a\0b", ["1:3: an expression cannot hold the character NUL"]),
    ]

    @Test(arguments: Self.wrong)
    func invalidExpressionsAreErrors(text: String, expected: [String]) {
        let found = complaints { () throws(Diagnostics) in
            _ = try JQProgram(text, at: start, variables: ["event", "state"])
        }
        #expect(found == expected)
    }

    /// A batch, which finds only so many errors, is not tested with these.
    @Test(arguments: [
        (". //= ", "1:6", "something is missing after '//='"), ("(.a and", "1:8", "something is missing after 'and'"),
        ("(.a, .band", "1:11", "a ')' is missing"), ("\"a +", "1:5", "a '\"' is missing"),
    ])
    func endNamesWhatIsMissing(text: String, place: String, missing: String) {
        let found = complaints { () throws(Diagnostics) in _ = try JQProgram(text, at: start) }
        #expect(found == ["\(place): the expression ends too early; \(missing)"])
    }

    @Test func unboundVariableIsError() {
        let found = complaints { () throws(Diagnostics) in _ = try JQProgram("$state", at: start) }
        #expect(found == ["1:1: there is no variable $state here; there are none"])
    }

    @Test(arguments: [
        ("map: .a | nott", "1:11"), ("map: '.a | nott'", "1:12"), ("map: \"\\\"x\\\" | nott\"", "1:15"),
        ("map: |\n  .a\n  | nott", "3:5"), ("map: >\n  .a\n  | nott", "3:5"),
    ])
    func locationsAreThoseInYAML(text: String, place: String) throws {
        let expression = try #require(try yaml(text)["map"]?.scalar).text
        let found = complaints { () throws(Diagnostics) in _ = try JQProgram(expression) }
        #expect(found == ["\(place): there is no function 'nott'; did you mean 'not' or '.nott'?"])
    }

    @Test func randomTextsNeverCrash() {
        var random = SplitMix64(seed: 3)
        // Syntax errors only: they are quick, while compiling a valid text is not.
        let pieces = [
            ".", "a", "|", "(", ")", "[", "]", "{", "}", "\"", "\\(", "#", "\n", "$x", " ", "if", ",", ";", "é", "'",
            "@base64 ",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            for found in complaints({ () throws(Diagnostics) in _ = try JQProgram(text + " |", at: start) }) {
                #expect(found.hasPrefix("1:") || text.contains("\n"))
            }
        }
    }
}
