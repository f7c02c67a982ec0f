import RxEngine
import RxEngineTest
import RxPipelines
import TestSupport
import Testing

/// Each step over a source that ticks every ten seconds: 0 at 10, 1 at 20, and so on.
@Suite(.balanced) struct StepTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let steps: String
        let told: [String]
        let time: Int

        init(_ steps: String, _ told: [String], until time: Int = 65) {
            self.steps = steps
            self.told = told
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
        Row("map: .tick, debounce: 10s", ["20 0", "30 1", "40 2", "50 3", "60 4"]),
        Row("map: .tick, throttle: 25s", ["10 0", "35 2", "60 4"]),
        Row("map: .tick, throttle: { span: 25s, latest: false }", ["10 0", "40 3"]),
        Row("map: .tick, delay: 3s", ["13 0", "23 1", "33 2", "43 3", "53 4", "63 5"]),
        Row("map: .tick, take: 2", ["10 0", "20 1"]),
        Row("map: .tick, take: 4, takeLast: 2", ["40 2", "40 3"]),
        Row("map: .tick, skip: 4", ["50 4", "60 5"]),
        Row("map: .tick, elementAt: 2", ["30 2"]),
        Row("map: .tick, takeWhile: . < 2", ["10 0", "20 1"]),
        Row("map: .tick, skipWhile: . < 4", ["50 4", "60 5"]),
        Row("map: .tick, pairwise, take: 2", ["20 [0,1]", "30 [1,2]"]),
        Row("map: .tick, take: 3, toArray", ["30 [0,1,2]"]),
        Row("map: .tick, buffer: { span: 25s, count: 10 }", ["25 [0,1]", "50 [2,3]"]),
        Row("map: .tick, buffer: { span: 1min, count: 2 }", ["20 [0,1]", "40 [2,3]", "60 [4,5]"]),
    ]

    @Test(arguments: rows) func whatIsTold(row: Row) throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, steps: [\(row.steps)], to: [journal] } }
            """)
        rig.run(until: row.time)
        #expect(rig.records.lines() == row.told.map { $0.replacingFirst(" ", with: " info ") })
        rig.drop()
    }

    /// What fails on an event drops that event, wherever it is in the row.
    @Test func aStepThatFailsGoesOnWithTheNextEvent() throws {
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
            #expect(rig.records.lines() == ["10 info 1", "30 info 1", "40 info 2"])
            rig.drop()
        }
        #expect(failures.count == 1)
    }

    @Test(
        arguments: [
            ("scan: { seed: 0 }", "scan needs 'next', a jq expression such as '$state + 1'"),
            ("scan: { next: $sate }", "there is no variable $sate here; bound are $event, $state, $value"),
            ("debounce: 0s", "expected a duration from 1ms to 1y"),
            ("take: many", "expected a whole number from 0 to 1000000"),
            ("pairwise: 3", "expected nothing: pairwise has no settings"),
            ("throtle: 3s", "unknown step 'throtle'; did you mean 'throttle'?"),
            ("buffer: { span: 10s }", "buffer needs 'count', a whole number from 1 to 100000"),
            ("distinctUntilChanged: { key: .a }", "unknown key 'key' in distinctUntilChanged"),
        ]) func whatIsWrong(step: String, complaint: String)
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
