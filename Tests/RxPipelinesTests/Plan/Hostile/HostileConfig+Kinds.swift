extension HostileConfig {
    /// Configurations with wrong arguments of sources and sinks.
    static let kinds: [HostileConfig] = [
        .init(
            "urlScheme", "sources: { a: { http: { url: \"file:///etc/passwd\", every: 1s } } }\n", .pipeline,
            gives: "1:30: 'file://' is not a URL: it must begin with https:// or http://"),
        .init(
            "urlNoHost", "sources: { a: { http: { url: \"http://\", every: 1s } } }\n", .pipeline,
            gives: "1:30: 'http://' is not a URL: the server is missing"),
        .init(
            "urlNewline", "sources: { a: { http: { url: \"http://h/\\r\\nX: y\", every: 1s } } }\n", .pipeline,
            gives: "1:30: 'http://h' is not a URL: it has a space or a control character in it; write %20 for a"),
        .init(
            "urlHuge", "sources: { a: { http: { url: \"http://h/", .times("a", 300_000), "\", every: 1s } } }\n",
            .pipeline, gives: nil),
        .init(
            "urlPort", "sources: { a: { http: { url: \"http://h:99999/\", every: 1s } } }\n", .pipeline,
            gives: "1:30: 'http://h:99999' is not a URL: the port is not a number from 1 to 65535"),
        .init(
            "headerNewline",
            "sources: { a: { http: { url: \"http://h/\", every: 1s, headers: { X: \"a\\r\\nY: b\" } } } }\n", .pipeline,
            gives: "1:68: this has a line end or a NUL in it, which the value of a header field cannot have"),
        .init(
            "headerName", "sources: { a: { http: { url: \"http://h/\", every: 1s, headers: { \"a b\": c } } } }\n",
            .pipeline,
            gives: "1:65: 'a b' is not the name of a header field: it must be one word, such as Authorization"),
        .init(
            "method",
            "sources: { a: { http: { url: \"http://h/\", every: 1s, method: \"GET /x HTTP/1.1\\r\\n\" } } }\n",
            .pipeline, gives: "1:62: 'GET /x HTTP/1.1"),
        .init(
            "pathRelative", "sources: { a: { files: tmp } }\n", .pipeline,
            gives: "1:24: 'tmp' is a relative path; begin it with '/'"),
        .init(
            "pathEmpty", "sources: { a: { files: \"\" } }\n", .pipeline,
            gives: "1:24: expected a path such as /etc/ssl/site, found ''"),
        .init(
            "pathNul", "sources: { a: { files: \"/a\\0b\" } }\n", .pipeline,
            gives: "1:24: a path cannot hold the character NUL"),
        .init("pathHuge", "sources: { a: { files: \"/", .times("a/", 100_000), "\" } }\n", .pipeline, gives: nil),
        .init(
            "pathsNone", "sources: { a: { files: { paths: [] } } }\n", .pipeline,
            gives: "1:33: expected a path such as /etc/ssl/site, or a list of them, found an empty list"),
        .init(
            "globStars", "sources: { a: { files: { paths: /tmp, include: [\"", .times("**/", 5_000), "\"] } } }\n",
            .pipeline, gives: nil),
        .init("globOpen", "sources: { a: { files: { paths: /tmp, include: [\"[a\"] } } }\n", .pipeline, gives: nil),
        .init(
            "eventsUnknown", "sources: { a: { files: { paths: /tmp, events: [creatd] } } }\n", .pipeline,
            gives:
                "1:48: expected one of created, modified, removed, moved, attributes, overflow, closed, found 'creatd"
        ),
        .init(
            "commandEmpty", "sources: { a: { command: { run: [], every: 1s } } }\n", .pipeline,
            gives: "1:28: a command needs a program, such as [df, --output=pcent, /]"),
        .init("commandNul", "sources: { a: { command: { run: [\"a\\0\"], every: 1s } } }\n", .pipeline, gives: nil),
        .init(
            "commandText", "sources: { a: { command: { run: \"rm -rf /\", every: 1s } } }\n", .pipeline,
            gives: "1:33: expected a list, each element a text, found 'rm -rf /'; write a list such as [sh, -c,"),
        .init(
            "commandMany", "sources: { a: { command: { run: [x", .times(", x", 49_999), "], every: 1s } } }\n",
            .pipeline, gives: nil),
        .init(
            "environmentName", "sources: { a: { command: { run: [x], every: 1s, environment: { \"A=B\": c } } } }\n",
            .pipeline,
            gives:
                "1:49: unknown key 'environment' in command; set variables with env(1)"),
        .init(
            "unitName", "sources: { a: { unit: \"../x\" } }\n", .pipeline,
            gives: "1:23: '../x' is not the name of a unit: such a name has no spaces and ends in its type, such as"),
        .init(
            "unitHuge", "sources: { a: { unit: \"", .times("u", 5_000), ".service\" } }\n", .pipeline,
            gives:
                "1:23: 'uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"
        ),
        .init(
            "journalField", "sources: { a: { journal: { match: { \"lower case\": x } } } }\n", .pipeline,
            gives:
                "1:37: 'lower case' is not the name of a journal field: these have capital letters, digits and"
        ),
        .init("journalNul", "sources: { a: { journal: { match: { A: \"x\\0y\" } } } }\n", .pipeline, gives: nil),
        .init(
            "jitterBeyond", "sources: { a: { interval: { every: 1s, jitter: 2s } } }\n", .pipeline,
            gives:
                "1:40: 'jitter' must be shorter than 'every', or ticks would overtake each other"
        ),
        .init(
            "alignUnknown", "sources: { a: { interval: { every: 1s, align: mars } } }\n", .pipeline,
            gives: "1:47: expected one of utc, local, found 'mars'"),
        .init(
            "backoffReversed", .source,
            "pipelines: { p: { from: a, to: [http: { url: \"http://h/\", retry: { times: 5, backoff: 1min..1s } }] } }\n",
            gives: "2:87: expected two durations such as 1s..1min, the first the shorter, found '1min..1s'"),
        .init(
            "retryHuge", .source,
            "pipelines: { p: { from: a, to: [http: { url: \"http://h/\", retry: { times: 1e99 } }] } }\n",
            gives: "2:75: expected a whole number from 0 to 1000, found '1e99'"),
        .init(
            "queueHuge", .source, "pipelines: { p: { from: a, to: [command: { run: [x], queue: 1e18 }] } }\n",
            gives: "2:61: expected a whole number from 1 to 1000000, or { disk: 256MiB }, found '1e18'"),
        .init(
            "priorityUnknown", .source, "pipelines: { p: { from: a, to: [journal: { priority: loud }] } }\n",
            gives: "2:54: expected one of emerg, alert, crit, err, warning, notice, info, debug, found 'loud'"),
        .init(
            "filePathTemplateOnly", .source, "pipelines: { p: { from: a, to: [file: \"{{.}}\"] } }\n",
            gives: "2:39: the path is a relative path; begin it with '/'"),
        .init(
            "fileRelative", .source, "pipelines: { p: { from: a, to: [file: x] } }\n",
            gives: "2:39: 'x' is a relative path; begin it with '/'"),
    ]
}
