import CJQ
import Testing

@Suite struct CJQTests {
    /// The library has no version number: each program uses a feature of that version.
    @Test(arguments: [
        ("1.5", "[limit(2; range(10))]", "null", "[0,1]"),
        ("1.6", ". | IN(1, 2, 3)", "2", "true"),
        ("1.6", "INDEX(.id) | keys", #"[{"id": "a"}, {"id": "b"}]"#, #"["a","b"]"#),
        ("1.6", ". as [$a] ?// $a | $a", "5", "5"),
        ("1.6", "[splits(\", *\")] | map(ascii_upcase)", #""a, b""#, #"["A","B"]"#),
    ]) func programsOfRequiredVersionRun(version: String, program: String, input: String, output: String) {
        #expect(run(program, on: input) == output, "jq \(version)")
    }

    @Test func compileErrorIsReported() {
        #expect(run("nonsense(", on: "null") == nil)
    }

    @Test func textRoundTrips() {
        let value = jv_string("grüße")
        defer { jv_free(value) }
        #expect(jv_get_kind(value) == JV_KIND_STRING)
        #expect(String(cString: jv_string_value(value)) == "grüße")
    }

    /// - Returns: the program's first output; `nil` if it does not compile or fails.
    private func run(_ program: String, on input: String) -> String? {
        var state = jq_init()
        defer { jq_teardown(&state) }
        jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
        guard jq_compile(state, program) != 0 else { return nil }
        jq_start(state, jv_parse(input), 0)
        let output = jq_next(state)
        guard jv_get_kind(output) != JV_KIND_INVALID else {
            jv_free(output)
            return nil
        }
        let text = jv_dump_string(output, 0)
        defer { jv_free(text) }
        return String(cString: jv_string_value(text))
    }
}
