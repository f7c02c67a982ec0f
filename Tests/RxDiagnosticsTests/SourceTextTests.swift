import Testing

@testable import RxDiagnostics

struct SourceTextTests {
    /// The path of an address may be a secret; the caret keeps its position.
    @Test(arguments: [
        ("url: https://hooks.example/T0/secret", "url: https://hooks.example/*********"),
        ("url: 'https://u:p@h:1/s', every: 1s", "url: 'https://****h:1/*', every: 1s"),
        ("[http://a/b, http://c/d]", "[http://a/*, http://c/**"),
        ("http://a/{{ .x }}/s b", "http://a/{{ .x }}** b"), ("http://a", "http://a"), ("a://", "a://"),
        ("http://a?x y", "http://a?* y"), ("http://{{ .h }}/x", "http://{{ .h }}/*"),
        ("http://${U}@a/b${credential:c}d?", "http://${U}*a/*${credential:c}**"), ("a: b/c", "a: b/c"),
    ])
    func addressesShowServerOnly(line: String, shown: String) {
        let text = SourceText(file: "t", text: line)
        let excerpt = text.excerpt(at: SourceLocation(file: "t", line: 1, column: 3))
        #expect(excerpt == "\(shown)\n  ^")
    }

    /// If an address begins far before the shown part, nothing of it is shown.
    @Test func addressesStartingOutsideExcerptShowNothing() throws {
        let line = "url: http://a/\(String(repeating: "s", count: 5_000)) next: value"
        let text = SourceText(file: "t", text: line)
        let excerpt = try #require(text.excerpt(at: SourceLocation(file: "t", line: 1, column: 5_022)))
        #expect(!excerpt.contains("s") && excerpt.contains("* next: value"))
    }
}
