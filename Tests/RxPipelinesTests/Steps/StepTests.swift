import ConfigTestSupport
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxPipelines
import TestSupport
import Testing

/// Each step on a source that ticks every ten seconds: 0 at 10, 1 at 20, and so on.
@Suite(.balanced) struct StepTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let steps: String
        let expected: [String]
        let time: Int

        init(_ steps: String, _ expected: [String], until time: Int = 65) {
            self.steps = steps
            self.expected = expected
            self.time = time
        }

        var testDescription: String { steps }
    }

    static let rows = [
        Row("map: .tick", ["10 0", "20 1", "30 2", "40 3", "50 4", "60 5"]),
        Row("map: .tick, filter: . % 2 == 1", ["20 1", "40 3", "60 5"]),
        Row("compactMap: 'if .tick > 3 then {n: .tick} else null end'", [#"50 {"n":4}"#, #"60 {"n":5}"#]),
        Row(
            "map: .tick, scan: { seed: 0, next: $state + $value }", ["10 0", "20 1", "30 3", "40 6", "50 10", "60 15"]),
        Row(
            "map: .tick, scan: { seed: [], next: '$state + [.] | .[-2:]' }, take: 3",
            ["10 [0]", "20 [0,1]", "30 [1,2]"]),
        Row("map: .tick, take: 4, reduce: { seed: 100, next: $state + . }", ["40 106"]),
        Row("map: .tick / 3 | floor, distinctUntilChanged", ["10 0", "40 1"]),
        Row("map: .tick, distinctUntilChanged: '. >= 3'", ["10 0", "40 3"]),
        Row("map: .tick, distinctUntilChanged: { by: '. % 2' }, take: 2", ["10 0", "20 1"]),
        Row("map: .tick, debounce: 4s", ["14 0", "24 1", "34 2", "44 3", "54 4", "64 5"]),
        Row("map: .tick, filter: . != 2, debounce: 12s", ["32 1"], until: 45),
        Row("map: .tick, throttle: 25s", ["10 0", "35 2", "60 4"]),
        Row("map: .tick, throttle: { span: 25s, latest: false }", ["10 0", "40 3"]),
        Row("map: .tick, delay: 3s", ["13 0", "23 1", "33 2", "43 3", "53 4", "63 5"]),
        Row("map: .tick, take: 2", ["10 0", "20 1"]),
        Row("map: .tick, take: 4, takeLast: 2", ["40 2", "40 3"]),
        Row("map: .tick, skip: 4", ["50 4", "60 5"]),
        Row("map: .tick, elementAt: 2", ["30 2"]),
        Row("map: .tick, takeWhile: . < 2", ["10 0", "20 1"]),
        Row("map: .tick, skipWhile: . < 4", ["50 4", "60 5"]),
        // An expression without output is not true.
        Row("map: .tick, skipWhile: . != 2, take: 3", ["30 2", "40 3", "50 4"]),
        Row("map: .tick, skipWhile: empty, take: 2", ["10 0", "20 1"]),
        Row("map: .tick, skipWhile: 'if . < 2 then true else empty end', take: 2", ["30 2", "40 3"]),
        Row("map: .tick, takeWhile: 'if . < 2 then true else empty end'", ["10 0", "20 1"]),
        Row("map: .tick, pairwise, take: 2", ["20 [0,1]", "30 [1,2]"]),
        Row("map: .tick, take: 3, toArray", ["30 [0,1,2]"]),
        Row("take: 0, toArray", ["0 []"]),
        Row("take: 0, reduce: { seed: { n: 7 }, next: . }", [#"0 {"n":7}"#]),
        Row("map: .tick, filter: . > 2, buffer: { span: 25s }", ["25 []", "50 [3]"]),
        Row(
            "map: .tick, filter: . > 2, window: { span: 25s, steps: [reduce: { seed: 0, next: $state + 1 }] }",
            ["25 0", "50 1"]),
        Row("map: .tick, take: 2, buffer: { span: 25s, count: 2 }", ["20 [0,1]", "20 []"]),
        Row("map: .tick, buffer: { span: 25s, count: 10 }", ["25 [0,1]", "50 [2,3]"]),
        Row("map: .tick, buffer: { span: 1min, count: 2 }", ["20 [0,1]", "40 [2,3]", "60 [4,5]"]),
        Row("map: .tick, buffer: { count: 2 }", ["20 [0,1]", "40 [2,3]", "60 [4,5]"]),
        Row("map: .tick, buffer: { count: 2, skip: 1 }", ["20 [0,1]", "30 [1,2]"], until: 35),
        Row("map: .tick, buffer: { span: 25s }", ["25 [0,1]", "50 [2,3]"]),
        Row("map: .tick, take: { for: 25s }", ["10 0", "20 1"]),
        Row("map: .tick, skip: { for: 45s }", ["50 4", "60 5"]),
        Row("map: .tick, delaySubscription: 35s", ["40 3", "50 4", "60 5"]),
        Row("map: .tick, enumerated, take: 1", [#"10 {"index":0,"value":0}"#]),
        Row("map: .tick, timestamp, take: 1", [#"10 {"value":0,"time":10}"#]),
        Row("map: .tick, startWith: { at: [1, x] }, take: 2", [#"0 {"at":[1,"x"]}"#, "10 0"]),
        Row("take: 0, ifEmpty: none", [#"0 "none""#]),
        Row("map: .tick, take: 1, ifEmpty: none", ["10 0"]),
        Row("map: .tick, first", ["10 0"]),
        Row("take: 0, first", ["0 null"]),
        Row("map: .tick, take: 5, single: . == 3", ["40 3"]),
        Row("map: .tick, take: 2, ignoreElements", []),
        Row("map: .tick, take: 1, materialize", [#"10 {"kind":"next","value":0}"#, #"10 {"kind":"completed"}"#]),
        Row(
            "map: 'if .tick == 1 then error(\"no\") else .tick end', materialize, map: '.kind, 0'",
            [#"10 "next""#, #"20 "error""#]),
        Row("map: .tick, take: 2, materialize, dematerialize", ["10 0", "20 1"]),
        Row("map: 'if .tick == 1 then error(\"no\") else .tick end', catch: { return: -1 }", ["10 0", "20 -1"]),
        Row(
            "map: 'if .tick == 1 then error(\"no\") else .tick end', retry: { delay: 15s }",
            ["10 0", "35 2", "40 3", "50 4", "60 5"]),
        Row("map: .tick, sample: slow", ["25 1", "50 3"]),
        Row("map: .tick, takeUntil: slow", ["10 0", "20 1"]),
        Row("map: .tick, skipUntil: slow", ["30 2", "40 3", "50 4", "60 5"]),
        Row(
            "map: .tick, withLatestFrom: { from: slow, map: '[., $latest.tick]' }, take: 3",
            ["30 [2,0]", "40 [3,0]", "50 [4,1]"]),
        Row("map: '{a: .tick}', withLatestFrom: slow, map: '[.a, .slow.tick]', take: 1", ["30 [2,0]"]),
        Row("map: .tick, withLatestFrom: slow, map: '[.value, .slow.tick]', take: 1", ["30 [2,0]"]),
        Row("map: .tick, timeout: 15s, take: 1", ["10 0"]),
        Row("map: .tick, filter: . < 1, timeout: { after: 12s, other: slow }, map: .tick? // .", ["10 0", "47 0"]),
        Row(
            "map: .tick, window: { count: 2, steps: [reduce: { seed: 0, next: $state + . }] }",
            ["20 1", "40 5", "60 9"]),
        Row("map: .tick, window: { span: 25s, steps: [toArray] }", ["25 [0,1]", "50 [2,3]"]),
        Row(
            "map: .tick, groupBy: { key: '. % 2', steps: [scan: { seed: 0, next: $state + . }] }",
            ["10 0", "20 1", "30 2", "40 4", "50 6", "60 9"]),
        Row("map: .tick, take: 1, flatMap: { interval: '{{. + 3}}s' }, map: .tick, take: 2", ["13 0", "16 1"]),
        Row(
            "map: .tick, take: 2, flatMap: { interval: '7s', map: '[$outer, .tick]' }",
            ["17 [0,0]", "24 [0,1]", "27 [1,0]"], until: 30),
        Row(
            "map: .tick, take: 2, flatMapLatest: { interval: 7s, map: '[$outer, .tick]' }",
            ["17 [0,0]", "27 [1,0]"], until: 30),
        Row(
            "map: .tick, take: 2, flatMapFirst: { interval: 7s, map: '[$outer, .tick]' }",
            ["17 [0,0]", "24 [0,1]"], until: 30),
        Row(
            "map: .tick, take: 2, concatMap: { interval: 7s, map: '[$outer, .tick]' }",
            ["17 [0,0]", "24 [0,1]"], until: 30),
        Row("map: .tick, checkpoint: here, take: 1", ["10 0"]),
    ]

    /// Setting the time of day meanwhile has no effect: steps measure elapsed time.
    @Test(arguments: rows, [0, 3600, -3600]) func stepsEmitExpectedValues(row: Row, jump: Int) throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s }, slow: { interval: 25s } }
            pipelines: { p: { from: tick, steps: [\(row.steps)], to: [journal] } }
            """)
        rig.scheduler.scheduleAt(15) { [wall = rig.wall] in wall.jump(by: jump) }
        rig.run(until: row.time)
        #expect(rig.records.lines() == row.expected.map { $0.replacingFirst(" ", with: " info ") })
        #expect(rig.graph?.accounts.map { $0.count(of: .subscription) } == [0])
        rig.drop()
    }

    /// A failure drops its event alone, wherever the step is, and no state with it.
    @Test func failedStepContinuesWithNextEvent() throws {
        let failures = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: 10s } }
                pipelines:
                  p:
                    from: tick
                    steps: [map: .tick, scan: { seed: 0, next: 'if . == 1 then error("no") else $state + 1 end' }]
                    to: [journal]
                """)
            rig.run(until: 45)
            #expect(rig.records.lines() == ["10 info 1", "30 info 2", "40 info 3"])
            rig.drop()
        }
        #expect(failures.count == 1)
    }

    /// A failure before a step is reported as itself, whatever errors the step itself can report.
    @Test(arguments: ["timeout: 1h", "single", "elementAt: 9"])
    func stepReportsEarlierFailureAsItself(step: String) throws {
        let failures = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, steps: [map: 'if .tick == 1 then error("no") else 0 end', checkpoint: here, \(step)], to: [stdout] } }
                """)
            rig.run(until: 25)
            rig.drop()
        }
        let record = try #require(failures.first as? PipelineError).record(generation: 1)
        #expect(record[.error] == "t.yaml:2:45: map failed on tick:1: no" && record[.step] == "map")
        #expect(record[.checkpoint] == "here")
    }

    @Test func tagCountsObjectsOfEarlierSteps() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, steps: [map: .tick, tag: parsing], to: [journal] }
              q: { from: tick, steps: [filter: .tick == 1, tag: parsing] , to: [journal] }
            """)
        rig.start()
        rig.scheduler.advanceTo(25)
        #expect(rig.records.lines() == ["10 info 0", "20 info 1", #"20 info {"tick":1,"time":20}"#])
        #if TRACE_RESOURCES
        let account = try #require(Resources.tags.first { $0.name == "parsing" })
        #expect(account.counts(of: .map).runs == 1 && account.counts(of: .filter).runs == 1)
        #endif
        rig.drop()
    }

    @Test(
        arguments: [
            ("scan: { seed: 0 }", "scan needs 'next', a jq expression such as '$state + 1'"),
            ("scan: { next: $sate }", "there is no variable $sate here; did you mean $state?"),
            ("debounce: 0s", "expected a duration from 1ms to 1y"),
            ("take: many", "expected a whole number from 0 to 1000000"),
            ("pairwise: 3", "expected nothing: pairwise has no settings"),
            ("throtle: 3s", "unknown step 'throtle'; did you mean 'throttle'?"),
            ("buffer: {}", "buffer needs 'span', 'count' or both: without them no list is ever emitted"),
            ("buffer: { span: 10s, count: 2, skip: 1 }", "'skip' needs 'count' and cannot be combined with 'span'"),
            (
                "window: { steps: [toArray] }",
                "window needs 'span', 'count' or both: without them no window ever closes"
            ),
            ("retry: { times: 3 }", "a retry without a delay repeats as fast as it can"),
            ("retry", "a retry without a delay repeats as fast as it can; write for example { times: 3, delay: 1s }"),
            (
                "retry: 3",
                "a retry without a delay repeats as fast as it can; write for example { times: 3, delay: 1s }"
            ),
            ("retry: { delay: 0 }", "a retry without a delay repeats as fast as it can; make it longer, such as 1s"),
            ("retry: { backoff: 0s..1s }", "a retry without a delay repeats as fast as it can; make the first"),
            ("retry: often", "retry needs a mapping of times, delay, backoff, jitter; found 'often'"),
            (
                "merge: [tick]",
                "'merge' is not a step: put it in place of 'from', as in { merge: [a, b] }"
            ),
            ("share: { replay: 1 }", "'share' is not a step: put it beside 'steps'"),
            ("buffer: []", "found an empty list; write { count: 100, span: 10s }"),
            ("buffer: 3", "found '3'; write { count: 100, span: 10s }"),
            ("window: 3", "found '3'; write { span: 1min, steps: [toArray] }"),
            ("take: {}", "take needs a number of events, such as 3, or a time, such as { for: 10s }"),
            (
                "map: { a: 1 }",
                #"found a mapping; to make an object, put the expression in quotes: "{a: 1}""#
            ),
            ("scan: 0", "scan needs a mapping of seed, next; found '0'; write { seed: 0, next: $state + 1 }"),
            ("take: 5s", "expected a whole number from 0 to 1000000, found '5s'; write { for: 5s } for a time"),
            ("skip: 1min", "write { for: 1min } for a time"),
            ("distinct", "unknown step 'distinct'; did you mean 'distinctUntilChanged'?"),
            ("retry: { delay: 1s, backoff: 1s..1min }", "'delay' and 'backoff' exclude each other; remove one"),
            ("retry: { backoff: 1s...1min }", "'1s...1min' has three dots; write two, as in 1s..1min"),
            ("retry: { backoff: 1min..1s }", "expected two durations such as 1s..1min, the first the shorter"),
            ("debounce: 10s", "a debounce of 10s after events that come every 10s never emits one"),
            ("timeout: 9s", "a timeout of 9s is shorter than the 10s from one event to the next"),
            ("timestamp, debounce: 10s", "a debounce of 10s after events that come every 10s never emits one"),
            ("enumerated, timeout: 9s", "a timeout of 9s is shorter than the 10s from one event to the next"),
            ("materialize, debounce: 1min", "a debounce of 1min after events that come every 10s never emits one"),
            ("skip: 3, tag: a, debounce: 10s", "a debounce of 10s after events that come every 10s never emits one"),
            ("timeout: 10s, debounce: 10s", "a debounce of 10s after events that come every 10s never emits one"),
            ("sample: tock", "there is no source or pipeline 'tock'; did you mean 'tick'?"),
            ("groupBy: { key: .a, steps: [takeUntil: tock] }", "there is no source or pipeline 'tock'"),
            ("flatMap: { interval: 0s }", "the period of an interval must be longer than 0"),
            ("flatMap: { intervall: 3s }", "unknown source 'intervall'; did you mean 'interval'?"),
            ("flatMap: { interval: { every: '{{.n}}s', jiter: 1s } }", "unknown key 'jiter' in interval"),
            ("flatMap: { interval: '{{.n' }", "this '{{' has no '}}'"),
            (
                "flatMap: { interval: 3s, map: '$oter' }",
                "there is no variable $oter here; did you mean $outer?"
            ),
            ("distinctUntilChanged: { key: .a }", "unknown key 'key' in distinctUntilChanged"),
        ]) func invalidStepsAreErrors(step: String, complaint: String)
    {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, steps: [\(step)], to: [journal] } }
                """.utf8, file: "t.yaml")
        }
        #expect(found.count == 1 && found[0].hasPrefix("2:") && found[0].contains(complaint), "\(found)")
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
