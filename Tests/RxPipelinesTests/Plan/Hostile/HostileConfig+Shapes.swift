extension HostileConfig {
    /// Configurations that are not mappings of the known keys.
    static let shapes: [HostileConfig] = [
        .init(
            "scalar", "hello",
            gives: "1:1: the configuration needs a mapping of daemon, sources, pipelines, tests; found 'hello'"),
        .init(
            "number", "1e309",
            gives: "1:1: the configuration needs a mapping of daemon, sources, pipelines, tests; found '1e309'"),
        .init(
            "list", "[sources]",
            gives: "1:1: the configuration needs a mapping of daemon, sources, pipelines, tests; found a list"),
        .init("null", "~", gives: "1:1: the configuration has no pipeline; add one under 'pipelines:'"),
        .init(
            "twoDocuments", .source,
            "pipelines: { p: { from: a, to: [stdout] } }\n---\nsources: { a: { interval: 1s } }\n", .pipeline,
            gives: "3:1: a second document begins here; a file holds only one"),
        .init("endMarker", .source, "pipelines: { p: { from: a, to: [stdout] } }\n...\n", gives: nil),
        .init("yamlDirective", "%YAML 1.2\n---\nsources: { a: { interval: 1s } }\n", .pipeline, gives: nil),
        .init(
            "unknownDirective", "%FOO bar\n---\nsources: { a: { interval: 1s } }\n", .pipeline,
            gives: "1:5: not YAML: found unknown directive name while scanning a directive"),
        .init(
            "futureYAML", "%YAML 9.9\n---\nsources: { a: { interval: 1s } }\n", .pipeline,
            gives: "1:1: not YAML: found incompatible YAML document"),
        .init(
            "tagDirective", "%TAG ! tag:evil,2020:\n---\nsources: !x { a: 1 }\n",
            gives: "3:10: the tag 'tag:evil,2020:x' means nothing here; remove it"),
        .init(
            "pythonTag", "sources: !!python/object/apply:os.system [\"id\"]\n",
            gives: "1:10: the tag 'tag:yaml.org,2002:python/object/apply:os.system' means nothing here; remove it"),
        .init(
            "binaryTag", "sources: !!binary AAAA\n",
            gives: "1:10: the tag 'tag:yaml.org,2002:binary' means nothing here; remove it"),
        .init("listKey", "[a]: 1\n", gives: "1:1: a key must be a text, not a list"),
        .init(
            "nullKey", "~: 1\n",
            gives: "1:1: unknown key '~' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "emptyKey", "\"\": 1\n",
            gives: "1:1: unknown key '' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "mergeKey", "x: &x { a: 1 }\n<<: *x\n",
            gives: "1:1: unknown key 'x' in the configuration; it takes daemon, sources, pipelines, tests"),
        .init(
            "duplicateKeys", "sources: { a: { interval: 1s }, a: { interval: 2s } }\n", .pipeline,
            gives: "1:33: the key 'a' is already given at t.yaml:1:12; keep one of them"),
        .init(
            "duplicateTop", .source, "sources: { a: { interval: 1s } }\n", .pipeline,
            gives: "2:1: the key 'sources' is already given at t.yaml:1:1; keep one of them"),
        .init(
            "duplicateInDepth", "sources: { a: { interval: { every: 1s, every: 2s } } }\n", .pipeline,
            gives: "1:40: the key 'every' is already given at t.yaml:1:29; keep one of them"),
        .init(
            "normalizedNames",
            "sources: { \"é\": { interval: 1s }, \"e\u{301}\": { interval: 2s } }\n",
            "pipelines: { p: { merge: [\"é\", \"e\u{301}\"] } }\n",
            gives: "1:35: the key 'e\u{301}' is already given at t.yaml:1:12; keep one of them"),
    ]
}
