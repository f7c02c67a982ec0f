import ConfigTestSupport
import RxDiagnostics
import TestSupport
import Testing

@testable import RxPipelines

struct PlanReadingTests {
    /// A source and a pipeline, which make a configuration of settings valid.
    private static let running = "\nsources: { a: { interval: 1s } }\npipelines: { p: { from: a } }"

    private func read(_ text: String) throws -> Plan {
        try Plan.read(text.utf8, file: "t.yaml")
    }

    /// The contents of a plan, in a few lines that can be compared.
    private func outline(_ plan: Plan) -> [String] {
        plan.sources.map { "\($0.name): \($0.kindName) \($0.kind.summary)" }
            + plan.pipelines.map { pipeline in
                let steps = pipeline.steps.map { "\(type(of: $0))" }
                let sinks = pipeline.sinks.map(\.name)
                let share = "replay \(pipeline.replay) \(pipeline.scope)"
                return "\(pipeline.name) < \(pipeline.dependencies.joined(separator: " ")): \(steps) \(share) \(sinks)"
            }
    }

    @Test(
        arguments: [
            (
                "sources: { a: { interval: { every: 1min 30s } } }\npipelines: { p: { from: a } }",
                ["a: interval every 1min 30s", "p < a: [] replay 1 whileConnected []"]
            ),
            (
                "daemon:\nsources: { a: { interval: 250ms } }\npipelines: { p: { from: a } }",
                ["a: interval every 250ms", "p < a: [] replay 1 whileConnected []"]
            ),
            (
                """
                sources: { b: { interval: 1s }, a: { interval: 2s } }
                pipelines: { p: { from: a } }
                """,
                [
                    "b: interval every 1s", "a: interval every 2s",
                    "p < a: [] replay 1 whileConnected []",
                ]
            ),
            (
                """
                sources: { a: { interval: 1s } }
                pipelines:
                  p:
                    from: a
                    steps: [map: ., filter: .tick > 1, map: .tick]
                    share: { replay: 0, scope: forever }
                    to: [stdout, journal, journal: "{{.}}", journal: { priority: err }]
                """,
                [
                    "a: interval every 1s",
                    #"p < a: ["MapStep", "FilterStep", "MapStep"] replay 0 forever ["stdout", "journal", "journal", "journal"]"#,
                ]
            ),
            (
                "sources: { api-v2.eu_1: { interval: 1s } }\npipelines: { p: { from: api-v2.eu_1, share: { replay: 7 } } }",
                ["api-v2.eu_1: interval every 1s", "p < api-v2.eu_1: [] replay 7 whileConnected []"]
            ),
        ] as [(String, [String])])
    func validConfigIsReadIntoPlan(text: String, expected: [String]) throws {
        #expect(outline(try read(text)) == expected)
    }

    @Test(arguments: [
        ("", 30.0, 5.0),
        ("daemon:", 30, 5),
        ("daemon: {}", 30, 5),
        ("daemon: { resources: 1min }", 60, 5),
        ("daemon: { drain: 0 }", 30, 0),
        ("daemon: { resources: 250ms, drain: 1s }", 0.25, 1),
        ("daemon: { resources: 10ms, drain: 1h }", 0.01, 3600),
        ("daemon: { resources: 1d }", 86_400, 5),
    ])
    func daemonSettingsAreRead(text: String, resources: Double, drain: Double) throws {
        let plan = try read(text + Self.running)
        #expect(plan.resourcesEvery == .seconds(resources) && plan.drainWithin == .seconds(drain))
    }

    @Test(arguments: [
        ("10s", 10.0, 10.0, 0.0),
        ("{ every: 10s }", 10, 10, 0),
        ("{ every: 10s, delay: 1s }", 10, 1, 0),
        ("{ every: 10s, delay: 0s, jitter: 500ms }", 10, 0, 0.5),
        ("{ every: 1s, jitter: 999ms }", 1, 1, 0.999),
    ])
    func scheduleOfIntervalIsRead(text: String, every: Double, delay: Double, jitter: Double) throws {
        let plan = try read("sources: { a: { interval: \(text) } }\npipelines: { p: { from: a } }")
        let schedule = try #require(plan.sources.first?.kind as? IntervalSource).schedule
        #expect(schedule.every == .seconds(every) && schedule.delay == .seconds(delay))
        #expect(schedule.jitter == .seconds(jitter))
    }

    @Test func testsAreRead() throws {
        let plan = try read(
            """
            sources: { api: { interval: 15s } }
            pipelines: { api-down: { from: api } }
            tests:
              it-counts:
                frame: 15s
                inputs: { api: "-u-d-" }
                values: { u: { ok: true }, d: { ok: false } }
                expect: { api-down: "-----3" }
            """)
        let (name, location, test) = try #require(plan.tests.first)
        #expect(name == "it-counts" && "\(location)" == "t.yaml:4:3" && test.frame == .seconds(15))
        #expect(test.values["u"] == ["ok": true] && test.values["d"] == ["ok": false] && test.values["7"] == 7)
        #expect(test.inputs.map { "\($0.node.text) \($0.events)" } == ["api -u-d-"])
        #expect(test.expect.map { "\($0.node.text) \($0.events)" } == ["api-down -----3"])
    }

    @Test(arguments: [
        ("{}", "3:13: the test needs 'expect', a mapping, each value a diagram such as \"-a-b-|\""),
        ("{ expect: { q: '-' } }", "3:25: there is no source or pipeline 'q'; there are a, p, s"),
        ("{ inputs: { b: '-' }, expect: { p: '-' } }", "3:25: there is no source or pipeline 'b'; there are a, p, s"),
        ("{ expect: { p: '-' }, fram: 1s }", "3:35: unknown key 'fram' in the test; did you mean 'frame'?"),
        ("{ expect: { p: '-1(' } }", "3:31: '(' without ')': close the group"),
        ("{ expect: { p: '-x' } }", "3:30: no value for 'x': add it to the values, or remove it"),
        (
            "{ expect: { p: '-' }, values: { ab: 1 } }",
            "3:45: 'ab' cannot stand for a value in a diagram: use one letter, digit or symbol, except those with a "
                + "meaning of their own, '-', '(', ')', '|', '#', '^' and '!'"
        ),
        (
            "{ expect: { p: '1#' } }",
            "3:30: '#' is not allowed in this diagram: the steps of a pipeline drop an event that they fail on, and go on"
        ),
        (
            "{ expect: { p: '-^1' } }",
            "3:30: '^' is not allowed in this diagram: a test begins with the first character of its diagrams"
        ),
        ("{ expect: { p: '-' }, results: { q: '1' } }", "3:46: there is no source or pipeline 'q'; there are a, p, s"),
        (
            "{ expect: { p: '-' }, results: { p: '1' } }",
            "3:46: no step of pipeline 'p' starts a source, so it takes no results; remove this"
        ),
        ("{ expect: { p: '-' }, results: { s: ['1', '|1'] } }", "3:57: '1' after the end, '|': remove one of them"),
        ("{ expect: { p: '-' }, frame: 0s }", "3:42: expected a duration from 1ms to 1y, found '0s'"),
    ])
    func invalidTestsAreErrors(text: String, expected: String) {
        let pipelines = "p: { from: a }, s: { from: a, steps: [flatMap: { interval: 1s }] }"
        let config = "sources: { a: { interval: 1s } }\npipelines: { \(pipelines) }\ntests: { t: \(text) }"
        #expect(complaints { () throws(Diagnostics) in _ = try Plan.read(config.utf8, file: "t.yaml") } == [expected])
    }

    @Test(arguments: [
        ("p: { from: a }, q: { from: p }, r: { from: q }", ["p", "q", "r"]),
        ("r: { from: q }, q: { from: p }, p: { from: a }", ["p", "q", "r"]),
        ("q: { from: a }, r: { from: p }, p: { from: a }", ["q", "p", "r"]),
        ("s: { from: p }, r: { from: p }, p: { from: a }", ["p", "s", "r"]),
    ])
    func pipelinesAreOrderedByDependency(text: String, expected: [String]) throws {
        let plan = try read("sources: { a: { interval: 1s } }\npipelines: { \(text) }")
        #expect(plan.pipelines.map(\.name) == expected)
    }

    /// A chain of pipelines, in reverse order.
    private func chain(_ count: Int) -> String {
        let chain = (1..<count).reversed().map { "  p\($0): { from: p\($0 - 1) }" }.joined(separator: "\n")
        return "sources: { tick: { interval: 1s } }\npipelines:\n\(chain)\n  p0: { from: tick }\n"
    }

    @Test func longChainIsOrderedByDependency() throws {
        let count = PipelineOrder.maximumDepth
        let plan = try read(chain(count))
        #expect(plan.pipelines.map(\.name) == (0..<count).map { "p\($0)" })
    }

    /// The longest chain that fits into a configuration. Reading it must not take a proportional amount of stack, and
    /// it is refused, as running it would.
    @Test func tooLongChainIsOneError() {
        let text = chain(5_000)
        onSmallStack {
            let found = complaints { () throws(Diagnostics) in _ = try Plan.read(text.utf8, file: "t.yaml") }
            #expect(
                found == [
                    "4502:17: 'p500' is at the end of a chain of more than 500 pipelines; put the steps of "
                        + "several into one"
                ])
        }
    }

    @Test(arguments: [
        ("sources: { a: { interval: 1s } }\npipelines: { p: { from: a } }", "1 source, 1 pipeline"),
        (
            "sources: { a: { interval: 1s } }\npipelines: { p: { from: a }, q: { from: p } }",
            "1 source, 2 pipelines"
        ),
        (
            "sources: { a: { interval: 1s }, b: { interval: 1s } }\npipelines: { p: { from: a } }",
            "2 sources, 1 pipeline"
        ),
        // The pipeline for the sinks of `onError` is not in the configuration.
        (
            "sources: { a: { interval: 1s } }\npipelines: { p: { from: a, to: [stdout], onError: { to: [stdout] } } }",
            "1 source, 1 pipeline"
        ),
    ])
    func planDescriptionIsOneLine(text: String, summary: String) throws {
        #expect(try read(text).summary == summary)
    }
}
