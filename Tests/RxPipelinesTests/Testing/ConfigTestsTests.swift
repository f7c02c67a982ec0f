import ConfigTestSupport
import RxControl
import RxDiagnostics
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// The tests of a configuration, run in virtual time.
@Suite(.balanced) struct ConfigTestsTests {
    /// A configuration with one test, and what is wrong according to the test.
    struct Row: CustomTestStringConvertible, Sendable {
        let pipelines: String
        let test: String
        let failures: [String]

        init(_ pipelines: String, _ test: String, _ failures: [String] = []) {
            self.pipelines = pipelines
            self.test = test
            self.failures = failures
        }

        var testDescription: String { "\(pipelines) | \(test)" }

        func run() throws -> [String] {
            let config = """
                sources:
                  a: { http: { url: "http://127.0.0.1:1", every: 15s } }
                  b: { unit: nginx.service }
                  tick: { interval: { every: 10s, jitter: 9s } }
                pipelines: { \(pipelines) }
                tests: { t: { \(test) } }
                """
            let plan = try Plan.read(config.utf8, file: "t.yaml")
            let test = try #require(plan.tests.first?.test)
            return ConfigTestRun.failures(of: test, in: plan)
        }
    }

    static let inARow = """
        p: { from: a, steps: [map: .ok | not, scan: { seed: 0, next: "if $value then $state + 1 else 0 end" },
             filter: . >= 3, distinctUntilChanged] }
        """
    static let upAndDown = "frame: 15s, inputs: { a: '-u-d-d-d-d-u-' }, values: { u: { ok: true }, d: { ok: false } }"

    static let passing = [
        Row(inARow, "\(upAndDown), expect: { p: '-------3-4---' }"),
        // Times in diagrams, groups, and spaces between them.
        Row("p: { from: a, steps: [debounce: 2s] }", "inputs: { a: '1 9s 2-(34)' }, expect: { p: '--1 9s --4' }"),
        Row("p: { from: a, steps: [delay: 1h] }", "inputs: { a: '1' }, expect: { p: '1h 1' }"),
        // A source that is not an input is the same if it only needs a scheduler, without what is random.
        Row("p: { from: tick, steps: [map: .tick] }", "frame: 10s, expect: { p: '-0123' }"),
        Row("p: { from: b, steps: [startWith: x] }", "expect: { p: 'x---' }, values: { x: x }"),
        // A pipeline as an input, a source with an expectation.
        Row("p: { from: a, steps: [map: . + 1] }, q: { from: p }", "inputs: { p: '-1-2' }, expect: { q: '-1-2' }"),
        Row("p: { from: tick }", "frame: 5s, inputs: { a: '-1' }, expect: { a: '-1' }"),
        Row("p: { from: tick }", "expect: { tick: '10s t' }, values: { t: { tick: 0, time: 978307210 } }"),
        // Completion, and nothing.
        Row("p: { from: a, steps: [take: 2] }", "inputs: { a: '-1-2-3' }, expect: { p: '-1-(2|)' }"),
        Row(
            "p: { from: a, steps: [reduce: { seed: 0, next: $state + . }] }",
            "inputs: { a: '123|' }, expect: { p: '---(6|)' }"),
        Row("p: { from: a, steps: [filter: . > 5] }", "inputs: { a: '12345' }, expect: { p: '' }"),
        // What happens after the longest diagram does not count.
        Row("p: { from: a, steps: [delay: 3s] }", "inputs: { a: '12' }, expect: { p: '---1' }"),
        Row("p: { from: a, steps: [delay: 3s] }", "inputs: { a: '12' }, expect: { p: '---' }"),
        Row("p: { merge: [a, b] }", "inputs: { a: '1-3', b: '-2(45)' }, expect: { p: '12(345)' }"),
        Row(
            "p: { combineLatest: { x: a, y: b } }",
            "inputs: { a: '1', b: '--2' }, values: { z: { x: 1, y: 2 } }, expect: { p: '--z' }"),
        // Values by their names, of which two may have the same value.
        Row("p: { from: a }", "inputs: { a: 'xy' }, values: { x: [1], y: [1] }, expect: { p: 'yx' }"),
        Row("p: { from: a }", "inputs: { a: '1' }, values: { 1: eins }, expect: { p: '1' }"),
        // The order of keys does not count, also of keys in values.
        Row(
            "p: { from: a, steps: [map: '{x, y: {v: .x, u: 1}}'] }",
            "inputs: { a: i }, values: { i: { x: 2 }, o: { y: { u: 1, v: 2 }, x: 2 } }, expect: { p: o }"),
    ]

    @Test(arguments: passing) func testPasses(row: Row) throws {
        let failures = try row.run()
        #expect(failures == [])
    }

    /// An hour of virtual time, with 3,600 ticks.
    @Test func hourTakesLittleTime() throws {
        let row = Row(
            "p: { from: a, steps: [flatMap: { interval: 1s, map: .tick }, filter: . == 3599] }",
            "inputs: { a: '1' }, values: { x: 3599 }, expect: { p: '1h x' }")
        var failures: [String] = ["not run"]
        let time = try ContinuousClock().measure { failures = try row.run() }
        #expect(failures == [])
        // Milliseconds, but for a debug build on a busy machine.
        #expect(time < .seconds(5), "\(time)")
    }

    static let withResults = [
        Row(
            "p: { from: a, steps: [concatMap: { http: { url: 'http://127.0.0.1:1/{{.}}' } }] }",
            "inputs: { a: '1---2---3' }, results: { p: [-x, --y] }, values: { x: x, y: y }, expect: { p: '-x----y---y' }"
        ),
        Row(
            "p: { from: a, steps: [flatMapLatest: { http: { url: 'http://127.0.0.1:1', every: 1s } }] }",
            "inputs: { a: '1---2' }, results: { p: 5-6-7-8 }, expect: { p: '5-6-5-6-7-8' }"),
        Row(
            "p: { from: a, steps: [flatMap: { command: { run: [id] }, retry: { times: 3, delay: 2s } }] }",
            "inputs: { a: '1' }, results: { p: ['#', -#, '7'] }, expect: { p: '-----7' }"),
        Row(
            "p: { from: a, steps: [flatMap: { interval: 2s, map: .tick }] }",
            "inputs: { a: '-1' }, expect: { p: '---0-1-2' }"),
    ]

    /// The sources that steps start emit what the test says; those that only need a scheduler are the same.
    @Test(arguments: withResults) func resultsReplaceSourcesInSteps(row: Row) throws {
        let failures = try row.run()
        #expect(failures == [])
    }

    static let failing = [
        Row(
            inARow, "\(upAndDown), expect: { p: '-----2-4-----' }",
            [
                """
                p:
                expected  -----2-4--
                received  -------3-4
                differs        ^ ^ ^
                at 1min 15s: expected 2, received nothing
                at 1min 45s: expected 4, received 3
                at 2min 15s: expected nothing, received 4
                """
            ]),
        Row(
            "p: { from: a, steps: [map: .x.y] }", "inputs: { a: '12' }, expect: { p: '-' }",
            [
                "p failed: t.yaml:5:41: map failed on a:0: Cannot index number with string \"x\"",
                "p failed: t.yaml:5:41: map failed on a:1: Cannot index number with string \"x\"",
            ]),
        Row(
            "p: { from: a, steps: [flatMap: { http: { url: 'http://127.0.0.1:1' } }] }",
            "inputs: { a: '1' }, expect: { p: '-' }",
            ["the steps of p start a source (GET http://127.0.0.1:1): say what it emits, under 'results: { p: … }'"]),
        Row(
            "p: { from: a, steps: [delay: 250ms] }", "inputs: { a: '1-' }, expect: { p: '1' }",
            [
                """
                p (a character is 250ms here):
                expected  1-
                received  -1
                differs   ^^
                at 0: expected 1, received nothing
                at 250ms: expected nothing, received 1
                """
            ]),
    ]

    @Test(arguments: failing) func testFails(row: Row) throws {
        let failures = try row.run()
        #expect(failures == row.failures)
    }

    /// A failure that the configuration handles is not a failure of its test, also if only the receiver is expected to emit.
    @Test(arguments: ["p: '', q: '-1-2'", "q: '-1-2'"]) func handledFailuresAreEvents(expected: String) throws {
        let row = Row(
            "p: { from: a, steps: [map: error], onError: { to: q } }, q: { from: onError, steps: [map: .value] }",
            "inputs: { a: '-1-2' }, expect: { \(expected) }")
        let failures = try row.run()
        #expect(failures == [])
    }
}

/// The results of the tests of a file, as `rxwatchctl test` prints them.
@Suite(.balanced) struct ConfigTestsAnswerTests {
    private let folder = TemporaryDirectory()

    private func answer(_ tests: String, _ names: [String] = [], as form: ConfigTests.Form = .text) -> ControlAnswer {
        folder.write(
            "c.yaml",
            """
            sources: { a: { http: { url: "http://127.0.0.1:1", every: 1s, headers: { x: "${credential:key}" } } } }
            pipelines: { p: { from: a, steps: [take: 2] } }
            \(tests)
            """)
        return ConfigTests.answer(folder("c.yaml"), names, as: form)
    }

    private let both = """
        tests:
          good: { inputs: { a: "12" }, expect: { p: "1(2|)" } }
          "b<d": { inputs: { a: "12" }, expect: { p: "13" } }
        """

    @Test func resultsAreText() {
        let path = folder("c.yaml")
        let answer = answer(both)
        #expect(answer.exitCode == 1)
        #expect(
            answer.message == """
                good: passed
                b<d: failed (\(path):5:3)
                  p:
                  expected  13
                  received  1(2|)
                  differs    ^^^^
                  at 1s: expected 3, received 2, completion
                2 tests: 1 failed
                """)
        #expect(self.answer(both, ["good"]).message == "good: passed\n1 test: all passed")
        #expect(self.answer(both, ["good"]).exitCode == 0)
    }

    @Test func resultsAreJSON() throws {
        let tests = try #require(answer(both).details["tests"]?.array)
        #expect(tests.map { $0["name"] } == ["good", "b<d"] && tests.map { $0["passed"] } == [true, false])
        #expect(tests[1]["line"] == 5 && tests[1]["column"] == 3 && tests[1]["file"]?.string == folder("c.yaml"))
        #expect(tests[0]["failures"] == [] && tests[1]["failures"]?.array?.count == 1)
        #expect(tests.allSatisfy { ($0["seconds"]?.number ?? -1) >= 0 })
    }

    @Test func resultsAreJUnit() throws {
        let lines = answer(both, as: .junit).message.split(separator: "\n").map {
            $0.replacing(#/ time="[0-9.e-]+"/#, with: "")
        }
        let path = folder("c.yaml")
        #expect(
            lines == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                "<testsuites>",
                #"  <testsuite name="\#(path)" tests="2" failures="1" errors="0">"#,
                #"    <testcase name="good" classname="\#(path)" file="\#(path)" line="4"/>"#,
                #"    <testcase name="b&lt;d" classname="\#(path)" file="\#(path)" line="5">"#,
                #"      <failure message="not as expected">p:&#10;expected  13&#10;received  1(2|)&#10;differs    ^^^^"#
                    + "&#10;at 1s: expected 3, received 2, completion</failure>",
                "    </testcase>",
                "  </testsuite>",
                "</testsuites>",
            ])
    }

    /// CI shows an error that prevents the run as one of a test, and an empty suite has no empty line.
    @Test func errorAndEmptySuiteAreJUnit() {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        #expect(
            TestResult.junit(error: "a<b:1:2: wrong\n\"x\"", in: "configuration", of: "a<b") == head + """
                  <testsuite name="a&lt;b" tests="1" failures="0" errors="1" time="0">
                    <testcase name="configuration" classname="a&lt;b" time="0">
                      <error message="a&lt;b:1:2: wrong">a&lt;b:1:2: wrong&#10;&quot;x&quot;</error>
                    </testcase>
                  </testsuite>
                </testsuites>
                """)
        #expect(
            TestResult.junit([], of: "c.yaml") == head + """
                  <testsuite name="c.yaml" tests="0" failures="0" errors="0" time="0.0">
                  </testsuite>
                </testsuites>
                """)
    }

    @Test func configWithoutTestsIsReported() {
        let path = folder("c.yaml")
        let none = answer("")
        #expect(
            none.message == "\(path): no tests; add them under 'tests:', see rxwatchd.yaml(5)" && none.exitCode == 0)
        let unknown = answer(both, ["god"])
        #expect(unknown.message == "there is no test 'god' in \(path); did you mean 'good'?" && unknown.exitCode == 1)
        #expect(unknown.details == .null)
        #expect(answer("tests: { t: { expect: { p: '(' } } }").exitCode == 78)
    }

    /// The examples of the manual are valid, and their tests pass.
    @Test func testsOfManualPass() throws {
        let manual = try text(of: "\(repository)/deploy/man/rxwatchd.yaml.5")
        let section = try #require(manual.split(separator: ".Sh EXAMPLES\n").last)
        let blocks = section.split(separator: ".Bd -literal -offset indent\n").dropFirst().map { block in
            String(block.prefix(upTo: block.firstRange(of: ".Ed\n")?.lowerBound ?? block.endIndex))
                .replacing("\\(aq", with: "'").replacing("\\e", with: "\\")
        }
        // One of them continues another.
        let answers = blocks.filter { $0.contains("sources:") }.map { block -> ControlAnswer in
            folder.write("manual.yaml", block)
            return ConfigTests.answer(folder("manual.yaml"))
        }
        #expect(answers.allSatisfy { $0.exitCode == 0 }, "\(answers.map(\.message))")
        #expect(answers.map { $0.details["tests"]?.array?.count ?? 0 } == [0, 3])
    }

    /// The tests of the examples pass.
    @Test(arguments: ["certificates", "delivery", "demo", "health", "reactions"])
    func testsOfExamplesPass(name: String) {
        let answer = ConfigTests.answer("\(repository)/Config/examples/\(name).yaml")
        #expect(answer.exitCode == 0, "\(answer.message)")
        let count = answer.details["tests"]?.array?.count ?? 0
        #expect(count == ["delivery": 1, "health": 2, "reactions": 2][name] ?? 0)
    }
}
