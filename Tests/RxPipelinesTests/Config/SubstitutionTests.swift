import ConfigTestSupport
import Glibc
import RxDiagnostics
import RxYAML
import Testing

@testable import RxPipelines

struct SubstitutionTests {
    static let environment = [
        "HOST": "db1", "EMPTY": "", "PORT": "5432", "ODD": "a: [b, {c", "BRACES": "{{.x}}", "_1": "u",
    ]

    /// The text of a configuration of one key after substitution, and its errors.
    private func substituted(
        _ text: String, _ substitution: Substitution = Substitution(environment: environment)
    ) throws -> (node: YAMLNode, complaints: [String]) {
        let report = Report()
        var substituter = Substituter(substitution, report)
        let node = try #require(substituter.apply(to: yaml(text))["v"])
        return (node, complaints(report))
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("${HOST}", "db1"),
        ("a${HOST}b${PORT}c", "adb1b5432c"),
        ("${_1}", "u"),
        ("'${HOST}'", "db1"),
        ("\"${HOST}\\n\"", "db1\n"),
        ("${EMPTY}", ""),
        ("${NONE:-}", ""),
        ("${NONE:-default}", "default"),
        ("${EMPTY:-default}", "default"),
        ("${HOST:-default}", "db1"),
        ("${NONE:-${HOST}:${PORT}}", "db1:5432"),
        ("${NONE:-${ALSO:-x}}y", "xy"),
        ("'${NONE:-{\"a\": {}}}'", #"{"a": {}}"#),
        ("${HOST:?is missing}", "db1"),
        ("${NONE:-a$$b}", "a$b"),
        ("$$", "$"),
        ("$$$$", "$$"),
        ("$${HOST}", "${HOST}"),
        ("$$${HOST}", "$db1"),
        ("echo $HOST", "echo $HOST"),
        (". as $x | $x + $event.sequence", ". as $x | $x + $event.sequence"),
        ("'. as {a: $x} | {$x}'", ". as {a: $x} | {$x}"),
        ("cost$", "cost$"),
        ("'}{'", "}{"),
        // The value of a variable is a text, whatever it would be in YAML.
        ("${ODD}", "a: [b, {c"),
    ])
    func referencesAreSubstituted(text: String, expected: String) throws {
        let (node, complaints) = try substituted("v: \(text)")
        #expect(node.scalar?.text.text == expected)
        #expect(complaints == [])
    }

    @Test(arguments: [
        (
            "${NONE}",
            "1:4: the environment variable 'NONE' is not set; set it with Environment=NONE=VALUE in the service, "
                + "give a default with ${NONE:-VALUE}, or if a shell is to expand it, write $${NONE}"
        ),
        (
            "a ${HOTS} b",
            "1:6: the environment variable 'HOTS' is not set; did you mean 'HOST'? "
                + "(if a shell is to expand it, write $${HOTS})"
        ),
        ("${NONE:?set it in the unit}", "1:4: NONE: set it in the unit"),
        ("${EMPTY:?}", "1:4: EMPTY: the environment variable is not set"),
        ("x${HOST", "1:5: this '${' has no '}'; if it is not a reference, write $${"),
        (
            "${}",
            "1:4: '${}' is not one of ${NAME}, ${NAME:-default}, ${NAME:?message} or ${credential:NAME}; if a shell is to expand it, write $${}"
        ),
        (
            "${HOST-x}",
            "1:4: '${HOST-x}' is not one of ${NAME}, ${NAME:-default}, ${NAME:?message} or ${credential:NAME}; if a shell is to expand it, write $${HOST-x}"
        ),
        (
            "${1}",
            "1:4: '${1}' is not one of ${NAME}, ${NAME:-default}, ${NAME:?message} or ${credential:NAME}; if a shell is to expand it, write $${1}"
        ),
        ("${credentials:x}", "1:4: '${credentials:x}' is not a reference; did you mean 'credential'?"),
        (
            "${file:x}",
            "1:4: '${file:x}' is not a reference; only ${credential:NAME} has a colon and a name; if a shell is to expand it, write $${file:x}"
        ),
        ("${credential:../x}", "1:4: '../x' is not the name of a credential, such as api-token"),
        ("${credential:a/b}", "1:4: 'a/b' is not the name of a credential, such as api-token"),
        (
            "${credential:x}",
            "1:4: there is no credential 'x': $CREDENTIALS_DIRECTORY is not set; hand it to the service with LoadCredential=x:PATH"
        ),
    ])
    func invalidReferencesAreErrors(text: String, expected: String) throws {
        #expect(try substituted("v: \(text)").complaints == [expected])
    }

    @Test func allErrorsAreReportedAtOnce() throws {
        #expect(try substituted("v: ${A} ${B\nw: ${C:?c}").complaints.map { $0.prefix(4) } == ["1:4:", "1:9:", "2:4:"])
    }

    @Test func nestedDefaultsAreBounded() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "${N:-", count: count) + String(repeating: "}", count: count)
        }
        #expect(try substituted("v: \(nested(32))").complaints == [])
        #expect(try substituted("v: \(nested(34))").complaints.first?.contains("more than 32 levels deep") == true)
    }

    @Test func keysAreNotSubstituted() throws {
        let report = Report()
        var substituter = Substituter(Substitution(environment: Self.environment), report)
        let node = substituter.apply(to: try yaml("'${HOST}': [a, { b: '${HOST}' }]"))
        #expect(node.json(report) == ["${HOST}": ["a", ["b": "db1"]]])
    }

    /// Without quotes a number is a number, as if the configuration contained it; with quotes it is a text.
    @Test func typesFollowSubstitutedText() throws {
        #expect(try substituted("v: ${PORT}").node.json(Report()) == 5432)
        #expect(try substituted("v: '${PORT}'").node.json(Report()) == "5432")
        #expect(try substituted("v: ${EMPTY}").node.isNull)
        #expect(try !substituted("v: '${EMPTY}'").node.isNull)
    }

    @Test(arguments: [
        ("ab${HOST}X", "1:13"), ("${HOST}X", "1:11"), ("${NONE:-dX}", "1:13"), ("${NONE:-}X", "1:13"), ("$$X", "1:6"),
        ("\"\\t${HOST}\\tX\"", "1:16"), ("|\n  a ${HOST}\n  ${HOST}X", "3:10"), ("${HOST}${PORT}X", "1:18"),
        ("a$$b$$cX", "1:11"),
    ])
    func placesAfterReferenceAreRight(text: String, expected: String) throws {
        let located = try #require(try substituted("v: \(text)").node.scalar?.text)
        let offset = try #require(located.text.unicodeScalars.map { $0 }.firstIndex(of: "X"))
        let place = located.location(at: offset)
        #expect("\(place.line):\(place.column)" == expected)
    }

    @Test func substitutedTextHasLocationOfReference() throws {
        let located = try #require(try substituted("v: ab${HOST}c").node.scalar?.text)
        #expect((0..<6).map { located.location(at: $0).column } == [4, 5, 6, 6, 6, 13])
        #expect(located.substituted == [2..<5])
        let slice = located.slice(3..<6)
        #expect(slice.text == "b1c" && (0..<3).map { slice.location(at: $0).column } == [6, 6, 13])
        #expect(slice.substituted == [0..<2])
    }

    @Test func bracesInVariableAreNotTemplate() throws {
        let text = try #require(try substituted("v: \"${BRACES} {{.x}}\"").node.scalar?.text)
        #expect(try Template(text).render(["x": 1]) == "{{.x}} 1")
    }

    @Test func expressionErrorAfterReferenceIsPlaced() throws {
        let plan = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { a: { interval: 1s } }\npipelines: { p: { from: a, steps: [map: '${HOST} | nosuch'] } }"
                    .utf8,
                file: "t.yaml", Substitution(environment: ["HOST": ".a | .b | .c"]))
        }
        #expect(plan == ["2:52: there is no function 'nosuch'; did you mean '.nosuch'?"])
    }

    @Test func substitutionIsBounded() throws {
        let substitution = Substitution(environment: ["BIG": String(repeating: "x", count: 1 << 19)])
        #expect(try substituted("v: ${BIG}${BIG}", substitution).complaints == [])
        let (_, complaints) = try substituted("v: [\"${BIG}${BIG}\", \"${BIG}\", \"${BIG}${BIG}\"]", substitution)
        #expect(complaints == ["1:22: the values of variables and credentials exceed 1 MiB"])
    }

    @Test func unquotedReferenceInBracesIsExplained() {
        let found = complaints { () throws(Diagnostics) in _ = try YAMLReader.read("a: { b: ${HOST} }", file: "t.yaml")
        }
        #expect(found.first?.hasSuffix("put a text with '${' in it in quotes") == true)
    }
}
