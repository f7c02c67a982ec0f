import ConfigTestSupport
import RxDiagnostics
import RxPipelines
import Testing

struct PlanErrorTests {
    private static let nothing =
        "1:1: there is no pipeline, so nothing would happen; add one under 'pipelines:'"

    /// What is wrong with a config that has a source `tick` in its first line.
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
        ("[]", ["1:1: the config needs a mapping of daemon, sources, pipelines, tests; found a list"]),
        ("tick", ["1:1: the config needs a mapping of daemon, sources, pipelines, tests; found 'tick'"]),
        ("surces: {}", ["1:1: unknown key 'surces' in the config; did you mean 'sources'?"]),
        ("x: 1", ["1:1: unknown key 'x' in the config; known are daemon, sources, pipelines, tests"]),
        ("sources: []", ["1:10: expected a mapping, each value a source: one of \(sources), found a list"]),
        ("pipelines: 1", ["1:12: expected a mapping, each value a mapping with 'from' and 'to', found '1'"]),
        ("daemon: 5s", ["1:9: daemon needs a mapping of resources, drain; found '5s'"]),
        ("daemon: { drian: 5s }", ["1:11: unknown key 'drian' in daemon; did you mean 'drain'?"]),
        (
            "daemon: { drain: soon }",
            [
                "1:18: 'soon' is not a duration: a number must stand before 'soon'; write for example 10s, 1min 30s or 250ms"
            ]
        ),
        ("daemon: { resources: 0s }", ["1:22: expected a duration from 10ms to 1d, found '0s'"]),
        ("daemon: { resources: 2d }", ["1:22: expected a duration from 10ms to 1d, found '2d'"]),
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
    func theWhole(text: String, expected: [String]) {
        #expect(wrongAsAWhole(text) == expected)
    }

    @Test(arguments: [
        ("intreval: 1s", ["1:17: unknown source 'intreval'; did you mean 'interval'?"]),
        ("clock: 1s", ["1:17: unknown source 'clock'; there are \(sources)"]),
        ("interval: 1s, files: {}", ["1:31: a source is of one kind, found 'interval' and 'files'"]),
        ("", ["1:15: expected a source: one of \(sources), found a mapping"]),
        ("interval:", ["1:27: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing"]),
        (
            "interval: 5x",
            ["1:27: '5x' is not a duration: 'x' is not a unit; write for example 10s, 1min 30s or 250ms"]
        ),
        ("interval: 0s", ["1:27: an interval's period is longer than nothing, such as 10s"]),
        ("interval: { every: 0 }", ["1:29: an interval's period is longer than nothing, such as 10s"]),
        ("interval: {}", ["1:27: interval needs 'every', a duration such as 10s, 1min 30s or 250ms"]),
        ("interval: { every: 1s, dealy: 1s }", ["1:40: unknown key 'dealy' in interval; did you mean 'delay'?"]),
        (
            "interval: { every: 1s, jitter: 1s }",
            ["1:40: a jitter as long as the period would let ticks overtake each other; make it shorter than 'every'"]
        ),
        (
            "http: { url: http://x/, every: 1s, jitter: 1s }",
            ["1:52: a jitter as long as the period would let polls overtake each other; make it shorter than 'every'"]
        ),
    ])
    func aSource(text: String, expected: [String]) {
        #expect(wrongAsAWhole("sources: { a: { \(text) } }") == expected)
    }

    @Test func aSourceByItsNameAlone() {
        #expect(
            wrongAsAWhole("sources: { a: interval }") == [
                "1:15: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing"
            ])
        #expect(wrongAsAWhole("sources: { a: ~ }") == ["1:15: expected a source: one of \(sources), found nothing"])
        #expect(wrongAsAWhole("sources: { a: tick }") == ["1:15: unknown source 'tick'; there are \(sources)"])
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
        ("from: [tick]", ["2:25: expected the name of a source or a pipeline such as tick, found a list"]),
        ("from: tikc", ["2:25: there is no source or pipeline 'tikc'; did you mean 'tick'?"]),
        ("from: nobody", ["2:25: there is no source or pipeline 'nobody'; there are p, tick"]),
        ("form: tick", ["2:19: unknown key 'form' in the pipeline; did you mean 'from'?"]),
        ("from: p", ["2:25: pipelines start from each other in a circle: p from p"]),
        ("from: tick, steps: {}", ["2:38: expected a list, each a step: one of \(steps), found a mapping"]),
        ("from: tick, steps: [maap: .]", ["2:39: unknown step 'maap'; did you mean 'map'?"]),
        ("from: tick, steps: [explode]", ["2:39: unknown step 'explode'; there are \(steps)"]),
        ("from: tick, steps: [{ map: ., filter: . }]", ["2:49: a step is of one kind, found 'map' and 'filter'"]),
        ("from: tick, steps: [map]", ["2:39: expected a jq expression such as '.status >= 500', found nothing"]),
        ("from: tick, steps: [map: ]", ["2:44: expected a jq expression such as '.status >= 500', found nothing"]),
        ("from: tick, steps: [map: .a |]", ["2:48: the expression ends too early"]),
        ("from: tick, steps: [map: $evnt]", ["2:44: there is no variable $evnt here; bound are $event"]),
        ("from: tick, share: { replay: -1 }", ["2:48: expected a whole number from 0 to 1000000, found '-1'"]),
        ("from: tick, share: { reply: 1 }", ["2:40: unknown key 'reply' in share; did you mean 'replay'?"]),
        (
            "from: tick, share: { scope: forevr }",
            ["2:47: expected one of whileConnected, forever, found 'forevr'; did you mean 'forever'?"]
        ),
        ("from: tick, share: 1", ["2:38: share needs a mapping of replay, scope; found '1'"]),
        (
            "from: tick, to: stdout",
            ["2:35: expected a list, each a sink: one of command, file, http, journal, stdout, unit, found 'stdout'"]
        ),
        ("from: tick, to: [stduot]", ["2:36: unknown sink 'stduot'; did you mean 'stdout'?"]),
        (
            "from: tick, to: [webhook: x]",
            ["2:36: unknown sink 'webhook'; there are command, file, http, journal, stdout, unit"]
        ),
        (
            "from: tick, to: [stdout: ., journal]",
            ["2:44: stdout needs a mapping of queue, overflow, onReplay; found '.'"]
        ),
        ("from: tick, to: [{ stdout: , journal: }]", ["2:48: a sink is of one kind, found 'stdout' and 'journal'"]),
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
        (#"from: tick, to: [journal: "{{.a"]"#, ["2:46: this '{{' has no '}}'"]),
        (#"from: tick, to: [journal: "a {{.b c}}"]"#, ["2:53: 'c' cannot stand here in a jq expression"]),
        (
            #"from: tick, to: [journal: { message: "{{}}" }]"#,
            ["2:59: an expression is missing; '.' stands for the value itself"]
        ),
    ])
    func aPipeline(text: String, expected: [String]) {
        #expect(wrong("pipelines: { p: { \(text) } }") == expected)
    }

    @Test(arguments: [
        ("p: { from: tick }, p: { from: tick }", 1),
        ("tick: { from: tick }", 1),
        ("a b: { from: tick }", 1),
        ("'': { from: tick }", 1),
        ("ärger: { from: tick }", 1),
    ])
    func namesAreNames(text: String, count: Int) {
        #expect(wrong("pipelines: { \(text) }").count == count)
    }

    @Test func aNameIsTakenOnce() {
        #expect(
            wrong("pipelines:\n  tick: { from: tick }")
                == ["3:3: 'tick' is the name of a node already, at line 1; choose another"])
    }

    @Test func aNameHasNoStrangeCharacters() {
        let rule = "is no name for a node: letters, digits, '-', '_' and '.' are, such as api-down"
        #expect(wrong("pipelines: { a b: { from: tick } }") == ["2:14: 'a b' \(rule)"])
        #expect(wrong("pipelines: { '': { from: tick } }") == ["2:14: '' \(rule)"])
        #expect(wrongAsAWhole("sources: { a/b: { interval: 1s } }") == ["1:12: 'a/b' \(rule)"])
    }

    @Test(arguments: [
        (
            "p: { from: q }, q: { from: p }",
            ["2:25: pipelines start from each other in a circle: p from q from p"]
        ),
        (
            "x: { from: p }, p: { from: q }, q: { from: r }, r: { from: p }",
            ["2:41: pipelines start from each other in a circle: p from q from r from p"]
        ),
        (
            "p: { from: p }, q: { from: r }, r: { from: q }, s: { from: tick }",
            [
                "2:25: pipelines start from each other in a circle: p from p",
                "2:41: pipelines start from each other in a circle: q from r from q",
            ]
        ),
    ])
    func circles(text: String, expected: [String]) {
        #expect(wrong("pipelines: { \(text) }").count == expected.count)
        #expect(wrong("pipelines: { \(text) }") == expected)
    }

    @Test func anExpressionIsPlacedInItsOwnLine() {
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
            wrong(text) == ["8:23: there is no function 'nosuch'", "11:43: there is no function 'alsonot'"])
    }

    @Test func everythingIsReportedAtOnceFromTopToBottom() {
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

    /// Its source is there, though nothing could be made of it.
    @Test func whatRefersToABadNodeIsNoSecondMistake() {
        #expect(
            wrongAsAWhole("sources: { a: { interval: 5x } }\npipelines: { p: { from: a }, q: { from: p } }").count == 1)
        #expect(wrong("pipelines: { p: { form: tick }, q: { from: p } }").count == 1)
    }

    @Test func aBadPipelineDoesNotHideWhatElseIsWrong() {
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
                "5:16: pipelines start from each other in a circle: one from two from one",
                "5:29: unknown step 'maap'; did you mean 'map'?",
                "7:3: 'a b' is no name for a node: letters, digits, '-', '_' and '.' are, such as api-down",
                "7:8: the pipeline needs a mapping of \(parts); found '7'",
            ])
    }

    @Test func theTextIsShownUnderTheMessage() throws {
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
}

private let parts = "from, merge, zip, concat, amb, combineLatest, steps, share, state, onError, to"
private let sources = Registry.sources.names.joined(separator: ", ")
private let steps = Registry.steps.names.joined(separator: ", ")
