import Foundation
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
    func secretIsRemovedFromTexts(text: String, expected: String) {
        var secrets = Secrets()
        secrets.insert(Self.secret, named: "token")
        #expect(secrets.redacted(text) == expected)
    }

    @Test func otherFormsOfSecretAreRemoved() {
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

    /// In the replacement of a text of three bytes, records would lose every other word that contains them.
    @Test(arguments: [("a", true), ("pin", true), ("\u{20AC}", true), ("", false), ("pins", false), ("a\nb\nc", false)])
    func credentialThatCannotBeHiddenIsWarning(secret: String, isWarning: Bool) {
        var secrets = Secrets()
        secrets.insert(secret, named: "door")
        secrets.insert("hunter2", named: "token")
        let warning = "the credential 'door' has fewer than 4 bytes, so records and output show it: use a longer one"
        #expect(Secrets.warning(about: secret, named: "door") == (isWarning ? warning : nil))
        #expect((secrets.redacted("a \(secret) b") == "a \(secret) b") == (isWarning || secret.isEmpty))
    }

    /// In any mixture of escapes, and one encoding inside another.
    @Test(arguments: [
        "pa%73s+%22w/ord%22%C3%A9", "pa%73s%20%22w%2ford%22%c3%a9", "pass%20\"w/ord\"é", #"pass \"w\/ord\"é"#,
        #"\u0070ass\u0020\u0022w/ord\u0022\u00E9"#, #"pass \\\"w/ord\\\"\\u00e9"#, #"pass%20%5C"w/ord%5C"%C3%A9"#,
    ])
    func escapedSecretIsFound(text: String) {
        var secrets = Secrets()
        secrets.insert("pass \"w/ord\"é", named: "a")
        #expect(secrets.redacted("x=\(text)&y=%zz") == "x=${credential:a}&y=%zz")
    }

    /// Base64 of the secret, with any text before and after it: nothing of it can be decoded from the rest.
    @Test(arguments: ["hunter2-Z/9", "abcd", "\u{FB}\u{FF}\u{FE}~~??>>", "a longer pass phrase, with spaces"])
    func secretIsFoundInBase64(secret: String) {
        var secrets = Secrets()
        secrets.insert(secret, named: "a")
        for before in ["", "u", "us", "use", "user:"] {
            for after in ["", ".", "..", "..."] {
                let whole = Data((before + secret + after).utf8).base64EncodedString()
                let inURL = whole.replacing("+", with: "-").replacing("/", with: "_")
                for text in [whole, inURL, whole.replacing("/", with: "\\/").replacing("+", with: "%2B")] {
                    let shown = secrets.redacted("Basic \(text) end")
                    #expect(shown.hasPrefix("Basic ") && shown.hasSuffix(" end"), "\(text): \(shown)")
                    #expect(shown.contains("${credential:a}"), "\(before) \(after): \(shown)")
                    let left = shown.dropFirst(6).dropLast(4).split(separator: "${credential:a}")
                    // A character of base64 has six bits, a byte of the secret eight.
                    #expect(left.reduce(0) { $0 + $1.count } <= (before.utf8.count + after.utf8.count) * 8 / 6 + 3)
                }
            }
        }
    }

    /// The credentials of both configurations are hidden; of two that begin alike, the longer one.
    @Test func secretsOfTwoConfigsAreFoundAtOnce() {
        var (old, new) = (Secrets(), Secrets())
        old.insert("hunter22", named: "token")
        new.insert("hunter2", named: "token")
        var both = Secrets()
        for secrets in [new, old] { both.insert(secrets) }
        #expect(both.redacted("hunter22 hunter2") == "${credential:token} ${credential:token}")
    }

    /// A text full of escape characters is searched as quickly as another text.
    @Test(.timeLimit(.minutes(1))) func manyEscapesTakeLinearTime() {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        for mark in ["\\", "%", "+", "\\u", "%2", "\\\"", "%25", "\\u005c"] {
            let text = String(repeating: mark, count: 100_000)
            #expect(secrets.redacted(text) == text)
        }
    }

    /// A text that is encoded five times is decoded three times.
    @Test func nestedEncodingsAreDecodedToMaximumDepth() {
        var decoded: [String] = []
        DecodedText.forEach(of: Array("%2525252541".utf8)) { decoded.append(String(decoding: $0.bytes, as: UTF8.self)) }
        #expect(decoded == ["%25252541", "%252541", "%2541"])
    }

    /// A text that each encoding changes is decoded in 84 ways, of which three are in memory at once.
    @Test func memoryOfMixedEscapesDoesNotGrow() {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        let text = String(repeating: "%25 + \\\\\n", count: 20_000)
        let before = residentMemory(isReset: true)
        #expect(secrets.redacted(text + "passp%6frt") == text + "${credential:a}")
        #expect(residentMemory() - before < 16 << 20)
    }

    /// A large text is decoded in parts: the memory does not depend on its length.
    @Test func memoryOfLargeTextWithEscapesDoesNotGrow() {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        let text = String(repeating: "%25+", count: 500_000)
        let before = residentMemory(isReset: true)
        #expect(secrets.redacted(text + "passp%6frt") == text + "${credential:a}")
        // The text itself, as bytes, before and after.
        #expect(residentMemory() - before < text.utf8.count * 4 + 8 << 20)
    }

    /// The last character of the base64 form depends on what follows the secret, so the text may end before it.
    @Test func endOfTextMayCutBase64() {
        var secrets = Secrets()
        secrets.insert("hunter2-Z/9", named: "token")
        #expect(secrets.redacted("aHVudGVyMi1aLz") == "${credential:token}")
        #expect(secrets.redacted("aHVudGVyMi1aLzk=") == "${credential:token}=")
    }

    /// The beginning of a secret at the end of a text that was cut, plain or encoded, with an escape that was cut, too.
    @Test(
        arguments: [
            ("hunter2-Z/9", "hunt"), ("hunter2-Z/9", "hunter2-Z/"), ("hunter2-Z/9", "hunter2-Z/9"),
            ("hunter2-Z/9", "hunter2-Z%2"), ("hunter2-Z/9", "hunter2-Z%"), ("hunter2-Z/9", "hunter2-Z%252"),
            ("hunter2-Z/9", "%68unter2%2"), ("hunter2-Z/9", "aHVudGVy"), ("a \"b\" c", #"a \"b\"#),
            ("a \"b\" c", #"a \\\"b\\"#), ("ab\u{1F511}cd", #"ab\ud83d\udd11c"#), ("abcd\u{1F511}", #"abcd\ud83d\udd"#),
            ("abcd\u{1F511}", #"abcd\ud83d"#), ("abcd\u{1F511}", #"abcd\u"#), ("abcdé", "abcd%C3"),
        ])
    func beginningOfSecretIsRemovedFromEndOfCutText(secret: String, end: String) {
        var secrets = Secrets()
        secrets.insert(secret, named: "a")
        for start in ["", "x: ", String(repeating: "x", count: 200_000)] {
            #expect(secrets.redacted(beginning: start + end) == start + "${credential:a}")
        }
        #expect(secrets.redacted(beginning: end + " z") == secrets.redacted(end + " z"))
    }

    /// Texts that end with an escape or with other characters stay as they are.
    @Test(arguments: ["hun", "hunter3", "x%2", #"x\u00"#, String("hunter2-Z/9".reversed()), ""])
    func cutTextWithoutSecretStays(text: String) {
        var secrets = Secrets()
        secrets.insert("hunter2-Z/9", named: "a")
        #expect(secrets.redacted(beginning: text) == text)
    }

    /// Wherever in a large text: no part of a secret is left where two parts meet that are decoded.
    @Test func secretIsFoundAcrossWindows() {
        var secrets = Secrets()
        secrets.insert("pass \"word\"", named: "a")
        for (before, secret) in [
            ("x", "pass \"word\""), ("\\\\", "pass \\\"word\\\""), ("%20", "pass%20%22word%22"),
            ("+", "\\u0070ass+%5C%22word%5C%22"),
        ] {
            for offset in stride(from: 65_536 - 60, through: 65_536 + 4, by: 11) {
                let count = offset / before.utf8.count
                let lead = String(repeating: before, count: count)
                let shown = secrets.redacted(lead + "é" + secret + before)
                #expect(shown == lead + "é${credential:a}" + before, "\(secret) at \(offset)")
            }
        }
    }

    /// The most bytes that were resident since the last call with `true`.
    private func residentMemory(isReset: Bool = false) -> Int {
        if isReset, let file = fopen("/proc/self/clear_refs", "we") {
            fputs("5", file)
            fclose(file)
        }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// As `base64` prints it: lines of 76 characters; then as a member of JSON.
    @Test func secretIsFoundInLinesOfBase64() {
        var secrets = Secrets()
        let secret = String((0..<120).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7 % 90))) })
        secrets.insert(secret, named: "a")
        let whole = Data(secret.utf8).base64EncodedString()
        for end in ["\n", "\r\n", "\\n"] {
            let lines = stride(from: 0, to: whole.count, by: 76).map { whole.dropFirst($0).prefix(76) }
            let shown = secrets.redacted("x: " + lines.joined(separator: end) + end)
            #expect(shown.hasPrefix("x: ${credential:a}") && shown.count < 30, "\(shown)")
        }
    }

    @Test(arguments: ["\n", "\r\n", "\n\n"]) func lineBreakAfterSecretStays(end: String) {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        #expect(secrets.redacted("x passport\(end)") == "x ${credential:a}\(end)")
        #expect(secrets.redacted("x\(end)passport") == "x\(end)${credential:a}")
    }

    /// Keys that only look alike stay two, as in JSON.
    @Test func keysAreComparedByBytes() {
        var secrets = Secrets()
        secrets.insert("passport", named: "a")
        #expect(secrets.redacted(["\u{E9}": 1, "e\u{301}": 2]) == ["\u{E9}": 1, "e\u{301}": 2])
        #expect(secrets.redacted(["${credential:a}": 1, "passport": 2]) == ["${credential:a}": 1])
    }

    /// Searching for a key of ten thousand lines takes no longer than for a word.
    @Test(.timeLimit(.minutes(5))) func manySecretsAreFoundInLinearTime() {
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

    /// Contents of a file that only look alike are two.
    @Test func readSecretsAreComparedByBytes() {
        var secrets = Secrets()
        secrets.mayGrow = true
        let texts = ["passport-\u{E9}", "passport-e\u{301}"]
        let uses = texts.map { secrets.add($0, from: "/t", shownAs: "<t>") }
        for text in texts { #expect(secrets.redacted("a \(text)").utf8.elementsEqual("a <t>".utf8)) }
        withExtendedLifetime(uses) {}
    }

    /// A request may be answered long after its file has changed.
    @Test func readSecretIsHiddenWhileItsRequestRuns() {
        var secrets = Secrets()
        secrets.insert(Self.secret, named: "token")
        secrets.mayGrow = true
        let copy = secrets
        func isHidden(_ text: String) -> Bool { copy.redacted("a \(text)") == "a <content of /t>" }
        var running: Secrets.Use? = secrets.add("content-0", from: "/t", shownAs: "<content of /t>")
        for number in 1...20 { _ = secrets.add("content-\(number)x", from: "/t", shownAs: "<content of /t>") }
        #expect(isHidden("content-0") && isHidden("content-20x") && isHidden("content-13x") && !isHidden("content-12x"))
        #expect(secrets.add("content-0", from: "/t", shownAs: "<content of /t>") === running)
        for number in 21...40 { _ = secrets.add("content-\(number)x", from: "/t", shownAs: "<content of /t>") }
        #expect(isHidden("content-0"))
        running = nil
        _ = secrets.add("content-41x", from: "/t", shownAs: "<content of /t>")
        #expect(!isHidden("content-0") && isHidden("content-41x"))
        #expect(copy.redacted("hunter2-Z/9 Y29udGVudC00MXg") == "${credential:token} <content of /t>")
        withExtendedLifetime(running) {}
    }

    @Test func contentsOfManyFilesAreForgotten() {
        let read = ReadSecrets(maximumOrigins: 256)
        let running = read.add("content-0", from: "/0", shownAs: "<0>")
        for number in 1...256 { _ = read.add("content-\(number)x", from: "/\(number)", shownAs: "<n>") }
        let shown = Redaction(tables: [read.forms]).redacted("content-0, content-1x, content-256x")
        #expect(shown == "<0>, content-1x, <n>")
        withExtendedLifetime(running) {}
    }

    /// A server may make a host name of it, and remove the spaces around it.
    @Test func lowercaseAndTrimmedFormsAreRemoved() {
        var secrets = Secrets()
        secrets.insert("S3cret-T0ken", named: "token")
        secrets.mayGrow = true
        let use = secrets.add(" Other-T0ken\t", from: "/t", shownAs: "<t>")
        #expect(secrets.redacted("s3cret-t0ken.example") == "${credential:token}.example")
        #expect(secrets.redacted("Other-T0ken other-t0ken") == "<t> <t>")
        // Of "root:Other-T0ken".
        #expect(secrets.redacted("cm9vddppdghlci1umgtlbg.invalid") == "cm9vdd<t>.invalid")
        withExtendedLifetime(use) {}
    }
}
