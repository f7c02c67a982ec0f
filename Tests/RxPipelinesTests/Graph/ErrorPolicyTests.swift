import RxEngine
import RxEngineTest
import RxPipelines
import TestSupport
import Testing

/// The error policies of a pipeline that fails on the second of its events, one of which arrives every ten seconds.
@Suite(.balanced) struct ErrorPolicyTests {
    private func config(_ policy: String, _ steps: String = "") -> String {
        """
        sources: { tick: { interval: 10s } }
        pipelines:
          p:
            from: tick
            steps: [map: 'if .tick == 1 then error("no") else .tick end'\(steps)]
            \(policy)
            to: [journal]
          beside: { from: tick, steps: [map: .tick], to: [stdout] }
        """
    }

    @Test(arguments: [
        ("", ["10 info 0", "30 info 2", "40 info 3"], "p failed: t.yaml:5:19: map failed on tick:1: no"),
        (
            "onError: restart", ["10 info 0", "30 info 2", "40 info 3"],
            "p failed: t.yaml:5:19: map failed on tick:1: no"
        ),
        (
            "onError: stop", ["10 info 0"],
            "p failed: t.yaml:5:19: map failed on tick:1: no; it is stopped until a reload changes it"
        ),
        (
            "onError: exit", ["10 info 0"],
            "p failed: t.yaml:5:19: map failed on tick:1: no; the daemon exits"
        ),
    ])
    func errorPolicyIsApplied(policy: String, expected: [String], message: String) throws {
        let found = try errors {
            let rig = try Rig(config(policy))
            rig.run(until: 45)
            #expect(rig.records.lines() == expected)
            // Another pipeline is not affected.
            #expect(rig.lines.value == ["0", "1", "2", "3"])
            #expect(
                rig.exits.value
                    == (policy == "onError: exit" ? ["p failed: t.yaml:5:19: map failed on tick:1: no"] : []))
            rig.drop()
        }
        #expect(found.map { "\($0)" } == [message])
    }

    @Test func recordHasCheckpoints() throws {
        let found = try errors {
            let rig = try Rig(config("", ", checkpoint: parsed, map: ., checkpoint: enriched"))
            rig.run(until: 25)
            rig.drop()
        }
        let record = try #require(found.first as? PipelineError).record(generation: 1, callStack: ["a", "b"])
        #expect(record[.checkpoint] == "parsed > enriched" && record[.step] == "map" && record[.cause] == "tick:1")
        #expect(record[.error] == "t.yaml:5:19: map failed on tick:1: no" && record[.errorType] == "StepError")
        #expect(record[.callStack] == "a\nb")
    }

    @Test func debugPrintsEveryEvent() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, steps: [map: .tick, debug: here, take: 2], to: [stdout] } }
            """)
        rig.run(until: 45)
        #expect(
            rig.records.lines() == [
                "0 debug here: subscribed", "10 debug here: next 0", "20 debug here: next 1", "20 debug here: disposed",
            ])
        #expect(rig.records.all(.event).map { $0[.cause] } == [nil, "tick:0", "tick:1", nil])
        rig.drop()
    }
}
