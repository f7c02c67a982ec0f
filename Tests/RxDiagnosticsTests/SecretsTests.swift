import Testing

@testable import RxDiagnostics

struct SecretsTests {
    static let secret = "hunter2-Z/9"

    @Test(arguments: [
        ("x \(secret) y", "x ${credential:token} y"),
        ("\(secret)\(secret)", "${credential:token}${credential:token}"),
        ("?key=hunter2-Z%2F9&x", "?key=${credential:token}&x"),
        ("hunter2-Z", "hunter2-Z"), ("", ""),
    ])
    func isTakenOutOfTexts(text: String, expected: String) {
        var secrets = Secrets()
        secrets.insert(Self.secret, named: "token")
        #expect(secrets.redacted(text) == expected)
    }

    @Test func isTakenOutInItsOtherForms() {
        var secrets = Secrets()
        secrets.insert("pass \"word\"", named: "a")
        secrets.insert("first line\nsecond line", named: "b")
        secrets.insert("passport", named: "c")
        secrets.insert("ab", named: "short")
        #expect(secrets.redacted(#"{"x":"pass \"word\""}"#) == #"{"x":"${credential:a}"}"#)
        #expect(secrets.redacted("x=pass%20%22word%22") == "x=${credential:a}")
        #expect(secrets.redacted("a second line of it") == "a ${credential:b} of it")
        #expect(secrets.redacted("passport, pass, cab") == "${credential:c}, pass, cab")
        #expect(
            secrets.redacted(["k passport": ["passport", 1, .null]]) == [
                "k ${credential:c}": ["${credential:c}", 1, .null]
            ])
    }

    /// Keys that only look the same stay two, as they do in JSON.
    @Test func keysAreComparedByTheirBytes() {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        #expect(secrets.redacted(["\u{E9}": 1, "e\u{301}": 2]) == ["\u{E9}": 1, "e\u{301}": 2])
        #expect(secrets.redacted(["${credential:a}": 1, "passport": 2]) == ["${credential:a}": 1])
    }

    /// A key of ten thousand lines takes no longer to look for than a word.
    @Test(.timeLimit(.minutes(5))) func manyAreFoundAtOnce() {
        var secrets = Secrets()
        let lines = (0..<20_000).map { "\($0 &* 2_654_435_761)-line" }
        secrets.insert(lines.joined(separator: "\n"), named: "key")
        for number in 0..<20_000 { _ = secrets.insert(unknown: "u\(number)") }
        let text = String(repeating: "nothing of the kind, ", count: 50)
        for _ in 0..<1_000 {
            #expect(secrets.redacted(text + lines[777]) == text + "${credential:key}")
            #expect(secrets.isAboutUnknown("a ${credential:u7777} b") && !secrets.isAboutUnknown("${credential:u}"))
        }
        #expect(secrets.unknown.count == 20_000)
    }
}
