extension HostileConfig {
    /// Configurations with invalid bytes and lines.
    static let bytes: [HostileConfig] = [
        .init("empty", gives: "1:1: the configuration has no pipeline; add one under 'pipelines:'"),
        .init(
            "spaces", "  \n\n  ",
            gives: "1:1: the configuration has no pipeline; add one under 'pipelines:'"),
        .init(
            "comment", "# nothing\n",
            gives: "1:1: the configuration has no pipeline; add one under 'pipelines:'"),
        .init("bom", "\u{FEFF}sources: { a: { interval: 1s } }\n", .pipeline, gives: nil),
        .init(
            "bomTwice", "\u{FEFF}\u{FEFF}sources: { a: { interval: 1s } }\n", .pipeline,
            gives: "2:1: not YAML: did not find expected <document start>"),
        .init(
            "utf16", .bytes([0xFF, 0xFE] + "sources: {}".utf8.flatMap { [$0, 0] }),
            gives: "1:1: this is not UTF-8; save the file as UTF-8"),
        .init(
            "utf16be", .bytes([0xFE, 0xFF] + "sources: {}".utf8.flatMap { [0, $0] }),
            gives: "1:1: this is not UTF-8; save the file as UTF-8"),
        .init(
            "crlf", "sources: { a: { interval: 1s } }\r\npipelines: { p: { from: a, to: [stdout] } }\r\n", gives: nil),
        .init("crOnly", "sources: { a: { interval: 1s } }\rpipelines: { p: { from: a, to: [stdout] } }\r", gives: nil),
        .init(
            "nel", "sources: { a: { interval: 1s } }\u{85}pipelines: { p: { from: a, to: [stdout] } }\u{85}", gives: nil
        ),
        .init(
            "tabIndent", "sources:\n\ta: { interval: 1s }\n", gives: "2:1: YAML is indented with spaces, not with"),
        .init("tabAfterKey", "sources:\t{ a: { interval: 1s } }\n", .pipeline, gives: nil),
        .init("nul", "sources: \u{0}\n", gives: "1:10: a control character; remove it"),
        .init(
            "nulInText", .source, "pipelines: { p: { from: a, to: [stdout] } }\nx: \"\\0\"\n",
            gives: "3:1: unknown key 'x' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "nulEscapedInName", "sources: { \"a\\0b\": { interval: 1s } }\npipelines: { p: { from: \"a\\0b\" } }\n",
            gives: "1:12: 'a"),
        .init(
            "invalidUTF8", "sources: { a", .bytes([0xFF]), ": { interval: 1s } }",
            gives: "1:13: this is not UTF-8; save the file as UTF-8"),
        .init(
            "overlongUTF8", "sources: { a", .bytes([0xC0, 0x80]), ": 1 }",
            gives: "1:13: this is not UTF-8; save the file as UTF-8"),
        .init(
            "surrogate", "sources: { a", .bytes([0xED, 0xA0, 0x80]), ": 1 }",
            gives: "1:13: this is not UTF-8; save the file as UTF-8"),
        .init(
            "truncatedUTF8", "sources: { a: 1 }\n# ", .bytes([0xE2, 0x82]),
            gives: "2:3: this is not UTF-8; save the file as UTF-8"),
        .init("controlCharacter", "sources: { a: \"\u{1}\" }\n", gives: "1:16: a control character; remove it"),
        .init("delete", "sources: { a: \u{7F} }\n", gives: "1:15: a control character; remove it"),
        .init("escapeSequence", "sources: { a: \"\u{1B}[2J\" }\n", gives: "1:16: a control character; remove it"),
        .init(
            "rightToLeft", "sources: { \"\u{202E}a\": { interval: 1s } }\npipelines: { p: { from: \"\u{202E}a\" } }\n",
            gives: "1:12: '\u{202E}a' is not a valid name: use letters, digits, '-', '_' and '.', as in api"),
        .init(
            "noncharacter", "sources: { \"\u{FFFE}\": { interval: 1s } }\n",
            gives: "1:13: a control character; remove it"),
        .init(
            "emoji", "sources: { \"😀\": { interval: 1s } }\npipelines: { p: { from: \"😀\" } }\n",
            gives: "1:12: '😀' is not a valid name: use letters, digits, '-', '_' and '.', as in api-down"),
        .init(
            "tooLarge", .times("#", 1_048_577),
            gives: "1:1: the file is too large; a configuration file has up to 1 MiB"),
        .init("oneLongLine", "# ", .times("x", 1_000_000), "\n", .good, gives: nil),
        .init(
            "manyLines", .times("\n", 500_000), "x: 1\n",
            gives: "500001:1: unknown key 'x' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init("manyComments", .times("#\n", 300_000), .good, gives: nil),
    ]
}
