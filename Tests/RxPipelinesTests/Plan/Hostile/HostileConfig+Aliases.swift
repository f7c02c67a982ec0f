extension HostileConfig {
    /// Configurations with depth, aliases and size.
    static let aliases: [HostileConfig] = [
        .init("deepLists", .times("[", 100_000), gives: "1:65: nested deeper than 64 levels"),
        .init("deepClosed", .times("[", 65), .times("]", 65), gives: "1:65: nested deeper than 64 levels"),
        .init("deepMaps", .times("{a: ", 50_000), gives: "1:257: nested deeper than 64 levels"),
        .init(
            "deepBlocks", .each(300) { "\(String(repeating: " ", count: $0))a:\n" },
            gives: "65:65: nested deeper than 64 levels"),
        .init(
            "deepIndent", .times(" ", 900_000), "a: 1\n",
            gives: "1:900001: unknown key 'a' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "aliasBomb", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n",
            .each(19) {
                "a\($0 + 1): &a\($0 + 1) [\(Array(repeating: "*a\($0)", count: 10).joined(separator: ", "))]\n"
            }, gives: "5:45: more than 100000 values, aliases counted in full"),
        .init(
            "aliasTextBomb", "a: &a \"", .times("x", 100_000), "\"\nb: [*a", .times(", *a", 9_000), "]\n",
            gives: "2:165: more than 4 MiB of text, aliases counted in full"),
        .init(
            "selfAlias", "a: &a [*a]\n",
            gives: "1:8: the alias '*a' is inside the node '&a' that it refers to; remove it"),
        .init("mutualAlias", "a: &a [*b]\nb: &b [*a]\n", gives: "1:8: the alias '*b' names no anchor '&b' above it"),
        .init(
            "unknownAlias", "sources: *nothing\n",
            gives: "1:10: the alias '*nothing' names no anchor '&nothing' above it"),
        .init(
            "anchorTwice", "sources: &x { a: { interval: 1s } }\npipelines: &x { p: { from: a } }\ntests: *x\n",
            gives: "2:20: the test needs 'expect', a mapping, each value a diagram such as \"-a-b-|\""),
        .init(
            "manyAnchors", "daemon: {}\nx: [", .each(60_000) { "&a\($0) 1, " }, "]\n",
            gives: "2:1: unknown key 'x' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "manyKeys", "{", .each(40_000) { "k\($0): 1, " }, "}",
            gives: "1:2: unknown key 'k0' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "hugeName", "sources: { ", .times("n", 900_000), ": { interval: 1s } }",
            gives: "1:900012: the mapping that '{' begins at "),
        .init(
            "hugeUnknownKey", "\"", .times("k", 500_000), "\": 1",
            gives: "1:500003: not YAML: mapping values are not allowed in this context"),
        .init(
            "hugeAnchor", "a: &", .times("n", 200_000), " 1",
            gives: "1:1: unknown key 'a' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "hugeTag", "a: !", .times("n", 200_000), " 1",
            gives:
                "1:4: the tag '!nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        ),
        .init(
            "hugeNumber", "sources: { a: { interval: { every: ", .times("9", 100_000), "s } } }\n", .pipeline,
            gives:
                "1:36: '999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
        ),
    ]
}
