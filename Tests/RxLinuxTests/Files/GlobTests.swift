import Testing

@testable import RxLinux

struct GlobTests {
    @Test(
        arguments: [
            ("*.pem", "a.pem", true), ("*.pem", "d/a.pem", true), ("*.pem", "a.pem~", false), ("a?c", "abc", true),
            ("a?c", "ac", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[!a-c]x", "dx", true),
            ("\\*", "*", true), ("\\*", "a", false), ("d/*", "d/a", true), ("d/*", "d/e/a", false),
            ("d/**", "d/e/a", true), ("**/a", "a", true), ("**/a", "d/e/a", true), ("/a", "a", true),
            ("/a", "d/a", false), ("a**b", "axxb", true), ("*a*b*c", "xaxbxc", true), ("*a*b*c", "xaxcxb", false),
            ("[", "[", true), ("[]]", "]", true), ("**", "anything/at/all", true), ("", "", true), ("", "a", false),
            ("**/x/**/y", "a/x/b/c/y", true), ("**/x/**/y", "a/b/c/y", false),
            ("**/a**/b", "xab", false), ("**/a**/b", "ab", true), ("**/a**/b", "ax/ab", true),
            ("a/**/b", "a/b", true), ("[a-", "[a-", true), ("a\\", "a\\", false), ("[^/]", "/", false),
            ("**/*.d/**", "a/b.d/c/e", true), ("***", "a/b", true), ("?", "é", false), ("??", "é", true),
        ] as [(String, String, Bool)])
    func globsMatchPaths(pattern: String, path: String, fits: Bool) {
        let bytes = Array(path.utf8)
        let name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        #expect(Glob(pattern).matches(name: name) { bytes } == fits)
    }

    /// Each star tries a text once, not once for each match of the stars before it.
    @Test func manyStarsTakeLinearTime() {
        let text = [UInt8](repeating: 0x61, count: 2_000)
        #expect(!Glob(String(repeating: "*a", count: 100) + "b").matches(name: text) { text })
        #expect(!Glob(String(repeating: "**a/", count: 20) + "b").matches(name: text) { text })
        let deep = Array(String(repeating: "a/", count: 500).utf8)
        let start = ContinuousClock.now
        #expect(!Glob(String(repeating: "**/", count: 14) + "b").matches(name: text) { deep })
        #expect(!Glob(String(repeating: "**/a/", count: 14) + "b").matches(name: text) { deep })
        #expect(ContinuousClock.now - start < .seconds(10))
    }
}
