import ConfigTestSupport
import RxDiagnostics
import RxPipelines
import Testing

struct PlanErrorTests {
    private static let nothing =
        "1:1: the configuration has no pipeline; add one under 'pipelines:'"

    /// The errors of a configuration that has a source `tick` in its first line.
    private func wrong(_ rest: String) -> [String] {
        complaints { () throws(Diagnostics) in
            _ = try Plan.read("sources: { tick: { interval: 1s } }\n\(rest)".utf8, file: "t.yaml")
        }
    }

    private func wrongAsAWhole(_ text: String) -> [String] {
        complaints { () throws(Diagnostics) in _ = try Plan.read(text.utf8, file: "t.yaml") }
    }

    @Test(arguments: [
        ("", [Self.nothing]), ("{}", [Self.nothing]), ("# nothing yet", [Self.nothing]), ("sources:", [Self.nothing]),
        ("sources: {}\npipelines: {}", [Self.nothing]), ("daemon:\nsources:\npipelines:", [Self.nothing]),
        ("pipelines: ~", [Self.nothing]), ("sources: { tick: { interval: 1s } }", [Self.nothing]),
        ("\n# late\nsources: { tick: { interval: 1s } }\npipelines:\n", [Self.nothing]),
        ("[]", ["1:1: the configuration needs a mapping of daemon, sources, pipelines, tests; found an empty list"]),
        ("tick", ["1:1: the configuration needs a mapping of daemon, sources, pipelines, tests; found 'tick'"]),
        ("surces: {}", ["1:1: unknown key 'surces' in the configuration; did you mean 'sources'?"]),
        ("x: 1", ["1:1: unknown key 'x' in the configuration; it takes daemon, sources, pipelines, tests"]),
        ("sources: []", ["1:10: expected a mapping, each value a source (one of \(sources)), found an empty list"]),
        ("pipelines: 1", ["1:12: expected a mapping, each value a mapping with 'from' and 'to', found '1'"]),
        ("daemon: 5s", ["1:9: daemon needs a mapping of resources, drain, page; found '5s'"]),
        ("daemon: { drian: 5s }", ["1:11: unknown key 'drian' in daemon; did you mean 'drain'?"]),
        (
            "daemon: { drain: soon }",
            [
                "1:18: 'soon' is not a duration: a number must stand before 'soon'; write for example 10s, 1min 30s or 250ms"
            ]
        ),
        ("daemon: { resources: 0s }", ["1:22: expected a duration from 10ms to 1d, found '0s'"]),
        ("daemon: { resources: 2d }", ["1:22: expected a duration from 10ms to 1d, found '2d'"]),
        (
            "daemon: { page: localhost:9476 }",
            [
                "1:17: 'localhost:9476' is not an address such as 127.0.0.1:9476 or [::1]:9476, or the absolute path of a unix "
                    + "socket; the address is a number, not a name, and the port is at most 65535"
            ]
        ),
        (
            "daemon: { page: 9476 }",
            [
                "1:17: '9476' is not an address such as 127.0.0.1:9476 or [::1]:9476, or the absolute path of a unix socket; "
                    + "the address is a number, not a name, and the port is at most 65535"
            ]
        ),
        ("daemon: { drain: 1h 1us }", ["1:18: expected a duration from 0 to 1h, found '1h 1us'"]),
        (
            "daemon: { drain: 9223372036854775807us }",
            ["1:18: expected a duration from 0 to 1h, found '9223372036854775807us'"]
        ),
        (
            "daemon: { drain: -1s }",
            ["1:18: '-1s' is not a duration: it cannot be negative; write for example 10s, 1min 30s or 250ms"]
        ),
    ])
    func errorsOfWholeConfig(text: String, expected: [String]) {
        #expect(wrongAsAWhole(text) == expected)
    }

    @Test(arguments: [
        ("intreval: 1s", ["1:17: unknown source 'intreval'; did you mean 'interval'?"]),
        ("weather: 1s", ["1:17: unknown source 'weather'; expected one of \(sources)"]),
        (
            "cron: '0 * * * *'",
            ["1:17: unknown source 'cron'; did you mean 'interval: { every: 1h, align: local }'?"]
        ),
        (
            "unit: '*.service'",
            ["1:23: '*.service' is a pattern; give the full name of one unit, such as nginx.service"]
        ),
        (
            "unit: nginx",
            ["1:23: 'nginx' is not the name of a unit: its type is missing; write for example nginx.service"]
        ),
        ("clock: 1s", ["1:17: unknown source 'clock'; did you mean 'interval'?"]),
        ("interval: 1s, files: {}", ["1:31: a source has one kind, found 'interval' and 'files'; make it two sources"]),
        ("", ["1:15: expected a source (one of \(sources)), found an empty mapping"]),
        (
            "interval:",
            [
                "1:27: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing; write { every: 10s }"
            ]
        ),
        (
            "interval: 5x",
            ["1:27: '5x' is not a duration: 'x' is not a unit; write for example 10s, 1min 30s or 250ms"]
        ),
        ("interval: 0s", ["1:27: the period of an interval must be longer than 0, such as 10s"]),
        ("interval: { every: 0 }", ["1:29: the period of an interval must be longer than 0, such as 10s"]),
        ("interval: {}", ["1:27: interval needs 'every', a duration such as 10s, 1min 30s or 250ms"]),
        (
            "interval: { cron: '0 3 * * *' }",
            [
                "1:29: unknown key 'cron' in interval; for times of day, use 'align', as in { every: 1d, align: local, "
                    + "delay: 3h }"
            ]
        ),
        (
            "command: 'echo hi'",
            [
                "1:26: command needs a mapping of run, every, delay, timeout, directory, inFlight; found 'echo hi'; write "
                    + #"{ run: [sh, -c, "echo hi"], every: 1min }"#
            ]
        ),
        ("interval: { every: 1s, dealy: 1s }", ["1:40: unknown key 'dealy' in interval; did you mean 'delay'?"]),
        (
            "interval: { every: 1s, jitter: 1s }",
            ["1:40: 'jitter' must be shorter than 'every', or ticks would overtake each other"]
        ),
        (
            "http: { url: http://x/, every: 1s, jitter: 1s }",
            ["1:52: 'jitter' must be shorter than 'every', or polls would overtake each other"]
        ),
    ])
    func errorsOfSource(text: String, expected: [String]) {
        #expect(wrongAsAWhole("sources: { a: { \(text) } }") == expected)
    }

    @Test func errorsOfSourceGivenByName() {
        #expect(
            wrongAsAWhole("sources: { a: interval }") == [
                "1:15: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing; write { every: 10s }"
            ])
        #expect(wrongAsAWhole("sources: { a: ~ }") == ["1:15: expected a source (one of \(sources)), found nothing"])
        #expect(wrongAsAWhole("sources: { a: tick }") == ["1:15: unknown source 'tick'; did you mean 'interval'?"])
    }

    @Test(arguments: [
        (
            "",
            [
                "2:17: the pipeline needs 'from', the name of a source or a pipeline such as tick, or one of merge, "
                    + "zip, concat, amb, combineLatest with several"
            ]
        ),
        ("from: ~", ["2:25: expected the name of a source or a pipeline such as tick, found nothing"]),
        (
            "from: { zip: [tick, p] }",
            [
                "2:25: expected the name of a source or a pipeline such as tick, found a mapping; "
                    + "write 'zip:' in place of 'from:', with the same nodes"
            ]
        ),
        (
            "from: [tick, p]",
            [
                "2:25: expected the name of a source or a pipeline such as tick, found a list; "
                    + "for the events of several nodes write 'merge: [tick, p]' instead of 'from'"
            ]
        ),
        (
            "from: [tick]",
            [
                "2:25: expected the name of a source or a pipeline such as tick, found a list; write 'from: tick'"
            ]
        ),
        ("from: tikc", ["2:25: there is no source or pipeline 'tikc'; did you mean 'tick'?"]),
        ("from: nobody", ["2:25: there is no source or pipeline 'nobody'; there are p, tick"]),
        (
            "from: tick, withLatestFrom: p, to: [stdout]",
            ["2:31: 'withLatestFrom' is a step; write it in 'steps'"]
        ),
        (
            "filter: .x, to: [stdout]",
            [
                "2:17: the pipeline needs 'from', the name of a source or a pipeline such as tick, or one of merge, "
                    + "zip, concat, amb, combineLatest with several",
                "2:19: 'filter' is a step; write it in 'steps'",
            ]
        ),
        ("from: tick, stdout: ~", ["2:31: 'stdout' is a sink; write it in 'to'"]),
        (
            "from: tick, interval: 1s",
            ["2:31: 'interval' is a source; define it under 'sources', and name it in 'from'"]
        ),
        (
            "from: tick, journal: x",
            [
                "2:31: 'journal' is a source or a sink; define a source under 'sources' and name it in 'from', or "
                    + "write a sink in 'to'"
            ]
        ),
        ("form: tick", ["2:19: unknown key 'form' in the pipeline; did you mean 'from'?"]),
        ("from: p", ["2:25: pipelines form a cycle: p from p"]),
        (
            "from: tick, steps: { map: . }",
            [
                "2:38: expected a list, each element a step (rxwatchd.yaml(5) lists all steps), found a mapping; "
                    + "begin each element with '- '"
            ]
        ),
        ("from: tick, steps: [maap: .]", ["2:39: unknown step 'maap'; did you mean 'map'?"]),
        ("from: tick, steps: [explode]", ["2:39: unknown step 'explode'; rxwatchd.yaml(5) lists all steps"]),
        ("from: tick, steps: [dedupe]", ["2:39: unknown step 'dedupe'; did you mean 'distinctUntilChanged'?"]),
        ("from: tick, steps: [tak: 1]", ["2:39: unknown step 'tak'; did you mean 'tag' or 'take'?"]),
        (
            "from: tick, steps: [{ map: ., filter: . }]",
            ["2:49: a step has one kind, found 'map' and 'filter'; make it two steps"]
        ),
        ("from: tick, steps: [map]", ["2:39: expected a jq expression such as '.status >= 500', found nothing"]),
        ("from: tick, steps: [map: ]", ["2:44: expected a jq expression such as '.status >= 500', found nothing"]),
        ("from: tick, steps: [map: .a |]", ["2:48: the expression ends too early; something is missing after '|'"]),
        ("from: tick, steps: [map: $evnt]", ["2:44: there is no variable $evnt here; did you mean $event?"]),
        ("from: tick, share: { replay: -1 }", ["2:48: expected a whole number from 0 to 1000000, found '-1'"]),
        ("from: tick, share: { reply: 1 }", ["2:40: unknown key 'reply' in share; did you mean 'replay'?"]),
        (
            "from: tick, share: { scope: forevr }",
            ["2:47: expected one of whileConnected, forever, found 'forevr'; did you mean 'forever'?"]
        ),
        ("from: tick, share: 1", ["2:38: share needs a mapping of replay, scope; found '1'; write { replay: 3 }"]),
        (
            "from: tick, to: stdout",
            [
                "2:35: expected a list, each element a sink (one of command, file, http, journal, stdout, unit), "
                    + "found 'stdout'; put it between '[' and ']'"
            ]
        ),
        ("from: tick, to: [stduot]", ["2:36: unknown sink 'stduot'; did you mean 'stdout'?"]),
        (
            "from: tick, to: [pager: x]",
            ["2:36: unknown sink 'pager'; expected one of command, file, http, journal, stdout, unit"]
        ),
        ("from: tick, to: [webhook: x]", ["2:36: unknown sink 'webhook'; did you mean 'http'?"]),
        (
            #"from: tick, to: [journal: "{{ tick }}"]"#,
            ["2:49: there is no function 'tick'; did you mean '.tick'?"]
        ),
        (
            "from: tick, to: [stdout: ., journal]",
            ["2:44: stdout needs a mapping of queue, overflow, onReplay, records; found '.'"]
        ),
        (
            "from: tick, to: [{ stdout: , journal: }]",
            ["2:48: a sink has one kind, found 'stdout' and 'journal'; make it two sinks"]
        ),
        (
            "from: tick, to: [journal: { priority: error }]",
            [
                "2:57: expected one of emerg, alert, crit, err, warning, notice, info, debug, "
                    + "found 'error'; did you mean 'err'?"
            ]
        ),
        (
            "from: tick, to: [journal: { massage: x }]",
            ["2:47: unknown key 'massage' in journal; did you mean 'message'?"]
        ),
        (
            "from: tick, to: [{ journal: ~, priority: err }]",
            [
                "2:50: 'priority' is not a sink; if it belongs to 'journal', indent it further, or move it into the "
                    + "braces of 'journal'"
            ]
        ),
        (
            "from: tick, to: [journal: { msg: x, level: err }]",
            [
                "2:47: unknown key 'msg' in journal; did you mean 'message'?",
                "2:55: unknown key 'level' in journal; did you mean 'priority'?",
            ]
        ),
        (
            "from: tick, onError: [stdout], to: [stdout]",
            [
                "2:40: expected one of restart, stop, exit, or { to: … } with sinks and pipelines, found a list"
            ]
        ),
        (#"from: tick, to: [journal: "{{.a"]"#, ["2:46: this '{{' has no '}}'"]),
        (#"from: tick, to: [journal: "a {{.b c}}"]"#, ["2:53: unexpected 'c' in the jq expression"]),
        (
            #"from: tick, to: [journal: { message: "{{}}" }]"#,
            ["2:59: an expression is missing; '.' stands for the value itself"]
        ),
    ])
    func errorsOfPipeline(text: String, expected: [String]) {
        #expect(wrong("pipelines: { p: { \(text) } }") == expected)
    }

    @Test(arguments: [
        ("p: { from: tick }, p: { from: tick }", 1),
        ("tick: { from: tick }", 1),
        ("a b: { from: tick }", 1),
        ("'': { from: tick }", 1),
        ("ärger: { from: tick }", 1),
    ])
    func invalidNamesAreErrors(text: String, count: Int) {
        #expect(wrong("pipelines: { \(text) }").count == count)
    }

    @Test func duplicateNameIsError() {
        #expect(
            wrong("pipelines:\n  tick: { from: tick }")
                == ["3:3: 'tick' is already the name of a source or pipeline, at line 1; choose another"])
    }

    @Test func nameWithInvalidCharactersIsError() {
        let rule = "is not a valid name: use letters, digits, '-', '_' and '.', as in api-down"
        #expect(wrong("pipelines: { a b: { from: tick } }") == ["2:14: 'a b' \(rule)"])
        #expect(wrong("pipelines: { '': { from: tick } }") == ["2:14: '' \(rule)"])
        #expect(wrongAsAWhole("sources: { a/b: { interval: 1s } }") == ["1:12: 'a/b' \(rule)"])
    }

    @Test(arguments: [
        (
            "p: { from: q }, q: { from: p }",
            ["2:25: pipelines form a cycle: p from q from p"]
        ),
        (
            "x: { from: p }, p: { from: q }, q: { from: r }, r: { from: p }",
            ["2:41: pipelines form a cycle: p from q from r from p"]
        ),
        (
            "p: { from: p }, q: { from: r }, r: { from: q }, s: { from: tick }",
            [
                "2:25: pipelines form a cycle: p from p",
                "2:41: pipelines form a cycle: q from r from q",
            ]
        ),
    ])
    func cyclesAreErrors(text: String, expected: [String]) {
        #expect(wrong("pipelines: { \(text) }").count == expected.count)
        #expect(wrong("pipelines: { \(text) }") == expected)
    }

    @Test func expressionErrorHasItsOwnLine() {
        let text = """
            pipelines:
              p:
                from: tick
                steps:
                  - map: |
                      {a: .tick,
                       b: .tick | nosuch}
                to:
                  - journal:
                      message: "tick {{.a}} of {{.b | alsonot}}"
            """
        #expect(
            wrong(text) == [
                "8:23: there is no function 'nosuch'; did you mean '.nosuch'?",
                "11:43: there is no function 'alsonot'; did you mean '.alsonot'?",
            ])
    }

    @Test func errorsAreReportedInOrderOfLines() {
        let text = """
            daemon: { drain: x }
            pipelines:
              p:
                from: nobody
                steps: [map: ")"]
              tick:
                from: tick
                to: [stduot]
            extra: 1
            """
        let found = wrong(text).map { $0.prefix { $0 != " " } }
        #expect(found == ["2:18:", "5:11:", "6:19:", "7:3:", "9:10:", "10:1:"])
    }

    /// Its source exists, though it is invalid.
    @Test func referenceToInvalidNodeIsNotReported() {
        #expect(
            wrongAsAWhole("sources: { a: { interval: 5x } }\npipelines: { p: { from: a }, q: { from: p } }").count == 1)
        #expect(wrong("pipelines: { p: { form: tick }, q: { from: p } }").count == 1)
    }

    @Test func invalidPipelineDoesNotHideOtherErrors() {
        let text = """
            pipelines:
              bad: 5
              lost: { from: nobody }
              one: { from: two, steps: [maap: .] }
              two: { from: one }
              a b: 7
            """
        #expect(
            wrong(text) == [
                "3:8: the pipeline needs a mapping of \(parts); found '5'",
                "4:17: there is no source or pipeline 'nobody'; there are a b, bad, lost, one, tick, two",
                "5:16: pipelines form a cycle: one from two from one",
                "5:29: unknown step 'maap'; did you mean 'map'?",
                "7:3: 'a b' is not a valid name: use letters, digits, '-', '_' and '.', as in api-down",
                "7:8: the pipeline needs a mapping of \(parts); found '7'",
            ])
    }

    @Test func sourceTextIsShownBelowMessage() throws {
        let error = try #require(throws: Diagnostics.self) {
            try Plan.read("sources:\n  a: { intervall: 1s }\n".utf8, file: "t.yaml")
        }
        #expect(
            "\(error)" == """
                t.yaml:2:8: unknown source 'intervall'; did you mean 'interval'?
                  a: { intervall: 1s }
                       ^
                """)
    }

    /// A step whose value is an expression needs no braces; a template needs quotes.
    @Test(arguments: ["filter", "map", "distinctUntilChanged", "takeWhile"])
    func unquotedBracesOfExpressionAreLeftOut(step: String) {
        let found = wrongAsAWhole("pipelines:\n  p:\n    from: t\n    steps:\n      - \(step): {{.tick}}\n")
        #expect(
            found == [
                "5:\(step.count + 12): '\(step)' takes an expression, without '{{' and '}}'; write \(step): .tick"
            ])
    }
}

private let parts = "from, merge, zip, concat, amb, combineLatest, steps, share, state, onError, to"
private let sources = Registry.sources.names.joined(separator: ", ")
