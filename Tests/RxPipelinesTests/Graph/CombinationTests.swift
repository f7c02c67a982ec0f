import ConfigTestSupport
import RxDiagnostics
import RxEngineTest
import RxPipelines
import TestSupport
import Testing

/// Pipelines that start from several nodes: `a` ticks every 10 seconds, `b` every 25.
@Suite(.balanced) struct CombinationTests {
    @Test(arguments: [
        ("merge: [a, b]", ["10 0", "20 1", "25 0", "30 2"], 30),
        ("merge: { fast: a, slow: b }", [#"10 {"fast":0}"#, #"20 {"fast":1}"#, #"25 {"slow":0}"#], 25),
        ("zip: [a, b]", ["25 [0,0]", "50 [1,1]"], 60),
        ("zip: { fast: a, slow: b }", [#"25 {"fast":0,"slow":0}"#], 30),
        ("concat: [two, b]", ["10 0", "20 1", "45 0"], 60),
        ("amb: [b, a]", ["10 0", "20 1", "30 2"], 35),
        ("combineLatest: [a, b]", ["25 [1,0]", "30 [2,0]", "40 [3,0]"], 45),
        ("combineLatest: { fast: a, slow: b }", [#"25 {"fast":1,"slow":0}"#], 25),
    ])
    func combinationsEmitExpectedValues(start: String, expected: [String], time: Int) throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s }, tock: { interval: 25s } }
            pipelines:
              a: { from: tick, steps: [map: .tick] }
              b: { from: tock, steps: [map: .tick] }
              two: { from: a, steps: [take: 2] }
              p: { \(start), to: [stdout] }
            """)
        let lines = rig.lines
        rig.start()
        var seen: [String] = []
        for now in 1...time {
            rig.scheduler.advanceTo(now)
            seen += lines.value.dropFirst(seen.count).map { "\(now) \($0)" }
        }
        #expect(seen == expected)
        rig.drop()
    }

    /// The event that changed the combination is its cause.
    @Test func newestEventIsCause() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s }, tock: { interval: 25s } }
            pipelines: { p: { combineLatest: [tick, tock], to: [journal: "{{$event.cause}}"] } }
            """)
        rig.run(until: 45)
        #expect(rig.records.lines() == ["25 info tock:0", "30 info tick:2", "40 info tick:3"])
        rig.drop()
    }

    /// A source event that reaches a combination through one input is in the branch of that input; once it has come
    /// through both, in that of both.
    @Test func branchHasInputsThatEventCameThrough() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              a: { from: tick, steps: [map: .tick] }
              b: { from: tick, steps: [map: .tick] }
              p: { combineLatest: [a, b], to: [journal: "{{.}} {{$event.id}}"] }
            """)
        rig.run(until: 35)
        let words = rig.records.lines().map { $0.split(separator: " ") }
        #expect(words.map { $0[2] } == ["[0,0]", "[1,0]", "[1,1]", "[2,1]", "[2,2]"])
        let branches = words.map { $0[3].split(separator: ".").last }
        #expect(branches == [branches[0], branches[1], branches[0], branches[1], branches[0]])
        #expect(branches[0] != branches[1])
        rig.drop()
    }

    /// The event that just arrived is the cause, even if another source has emitted since.
    @Test(arguments: [
        ("combineLatest", ["32 info tock:0", "40 info tick:3", "50 info tick:4"]),
        ("zip", ["32 info tock:0", "57 info tock:1"]),
    ])
    func lateEventIsCause(combination: String, expected: [String]) throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s }, tock: { interval: 25s } }
            pipelines:
              late: { from: tock, steps: [delay: 7s] }
              p: { \(combination): [tick, late], to: [journal: "{{$event.cause}}"] }
            """)
        rig.run(until: combination == "zip" ? 60 : 55)
        #expect(rig.records.lines() == expected)
        rig.drop()
    }

    /// All nodes that are combined form one component.
    @Test func combinedNodesAreOneComponent() throws {
        let rig = try Rig(
            """
            sources: { a: { interval: 1s }, b: { interval: 1s }, c: { interval: 1s }, d: { interval: 1s } }
            pipelines:
              p: { merge: [a, b], steps: [takeUntil: c], to: [stdout] }
              q: { from: d, to: [stdout] }
            """)
        #expect(rig.components.value.count == 2)
        rig.drop()
    }

    /// If any of several sources may emit in time, the configuration is not rejected.
    @Test(arguments: [
        "merge: [tick, tock], steps: [timeout: 1s]", "merge: [tick, tock], steps: [debounce: 9s]",
        "zip: [tick, tock], steps: [debounce: 10s]", "amb: [tock, tick], steps: [debounce: 15s]",
        "combineLatest: [tick, tock], steps: [filter: ., debounce: 10s]",
    ])
    func possibleCombinationsAreAccepted(start: String) throws {
        _ = try Plan.read(
            "sources: { tick: { interval: 10s }, tock: { interval: 25s } }\npipelines: { p: { \(start), to: [stdout] } }"
                .utf8,
            file: "t.yaml")
    }

    @Test(arguments: [
        ("merge: []", "expected nodes such as [tick, api] or { time: tick, state: api }, found an empty list"),
        ("merge: tick", "expected nodes such as [tick, api] or { time: tick, state: api }, found 'tick'"),
        ("merge: [tick, tock]", "there is no source or pipeline 'tock'; did you mean 'tick'?"),
        ("zip: { a: tock }", "there is no source or pipeline 'tock'; did you mean 'tick'?"),
        (
            "from: tick, zip: [tick]",
            "a pipeline has one input, found 'from' and 'zip'; remove one, or make two pipelines"
        ),
        ("combinelatest: [tick]", "unknown key 'combinelatest' in the pipeline; did you mean 'combineLatest'?"),
        (
            "merge: [tick, q], steps: [debounce: 10s]",
            "a debounce of 10s after events that come every 10s or sooner never emits one"
        ),
        (
            "combineLatest: [q, tick], steps: [map: ., debounce: 1h]",
            "a debounce of 1h after events that come every 10s or sooner never emits one"
        ),
        ("merge: [tick, p]", "pipelines form a cycle: p from p"),
        ("from: tick, steps: [sample: p]", "pipelines form a cycle: p from p"),
    ])
    func invalidCombinationsAreErrors(start: String, complaint: String) {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { tick: { interval: 10s } }\npipelines: { q: { from: tick, steps: [filter: .], to: [] }, p: { \(start), to: [stdout] } }"
                    .utf8,
                file: "t.yaml")
        }
        #expect(found.count == 1 && found[0].contains(complaint), "\(found)")
    }
}
