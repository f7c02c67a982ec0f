import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct RestartTests {
    /// The pauses after the failures of a pipeline whose events fail that `condition` holds for, and what it recorded.
    private func pauses(
        failingIf condition: String, every: String = "10s", until time: TestTime, share: String = "{}"
    ) throws -> (pauses: [Duration?], records: [String]) {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: \(every), delay: 0s } } }
            pipelines:
              p:
                from: tick
                share: \(share)
                steps: [map: 'if ($event.sequence | \(condition)) then error("no") else $event.sequence end']
                to: [journal: "{{.}}"]
            """)
        let found = errors { rig.run(until: time) }
        rig.drop()
        return (found.map { ($0 as? PipelineError)?.restart }, rig.records.lines())
    }

    @Test func aFailureIsReportedWithItsPlaceAndItsCause() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                steps:
                  - map: .tick
                  - filter: error("no \\(.)")
                to: [stdout]
            """)
        let found = errors { rig.run(until: 10) }
        let error = try #require(found.first as? PipelineError)
        let cause = try #require(error.cause as? StepError)
        #expect(found.count == 1)
        #expect(error.pipeline == "p" && error.sink == nil && error.event == nil && error.restart == .seconds(1))
        #expect(cause.step == "filter" && cause.cause == "tick:0" && cause.message == "no 0")
        #expect("\(cause.location)" == "t.yaml:7:17")
        #expect(
            error.description == "p failed: t.yaml:7:17: filter failed on tick:0: no 0; starting again in 1s")
        rig.drop()
    }

    @Test func thePausesGrowAsLongAsItFails() throws {
        let (pauses, records) = try pauses(failingIf: ". < 4", until: 16)
        #expect(pauses == [1, 2, 4, 8].map { .seconds($0) })
        #expect(records == ["15 info 4"])
    }

    @Test func noPauseIsLongerThanAMinute() {
        #expect((0...8).map(Observable.pause) == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(Observable.pause(after: .max) == .seconds(60))
    }

    @Test func aSuccessMakesThePauseShortAgain() throws {
        let (pauses, records) = try pauses(failingIf: ". < 2 or . == 4 or . == 6", until: 60)
        #expect(pauses == [1, 2, 1, 1].map { .seconds($0) })
        #expect(records.prefix(3) == ["3 info 2", "13 info 3", "24 info 5"])
    }

    @Test func othersGoOn() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              bad: { from: tick, steps: [map: error], to: [stdout] }
              good: { from: tick, steps: [map: .tick], to: [stdout] }
            """)
        let found = errors { rig.run(until: 30) }
        #expect(rig.lines.value == ["0", "1", "2"])
        #expect(found.count > 3)
        rig.drop()
    }

    /// The source of a pipeline that starts again tells it at once what it told last, which fails again.
    @Test func oneThatFailsWhileItStartsStartsAgainToo() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              steady: { from: tick, to: [stdout] }
              bad: { from: tick, steps: [map: error("no")], to: [stdout] }
            """)
        let found = errors { rig.run(until: 24) }
        #expect(found.map { ($0 as? PipelineError)?.restart } == [1, 2, 4, 8].map { .seconds($0) })
        rig.drop()
    }

    @Test func anotherAttemptIsChargedToItsPipeline() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: 'if $event.sequence == 0 then error("no") else . end'], to: [stdout] }
            """)
        func subscriptions() -> Int? { rig.graph?.accounts.first?.count(of: .subscription) }
        rig.start()
        _ = errors { rig.scheduler.advanceTo(0) }
        let waiting = try #require(subscriptions())
        rig.scheduler.advanceTo(5)
        let running = try #require(subscriptions())
        if Resources.isTraced { #expect(running > waiting) }
        rig.drop()
    }

    /// A memory that outlives the run must not make the first failure the last word.
    @Test func aFailureIsNotRememberedForever() throws {
        let (pauses, records) = try pauses(
            failingIf: ". == 1", until: 25, share: "{ replay: 1, scope: forever }")
        #expect(pauses == [.seconds(1)])
        #expect(records.last == "21 info 3")
    }

    @Test func whatStartsFromAFailingPipelineGoesOnWithIt() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: 'if $event.sequence == 1 then error("no") else . end'] }
              q: { from: p, to: [journal: "{{$event.cause}}"] }
            """)
        let found = errors { rig.run(until: 25) }
        #expect(found.count == 1)
        #expect(rig.records.lines() == ["0 info tick:0", "11 info tick:2", "21 info tick:3"])
        rig.drop()
    }

    @Test func aSinkThatFailsEndsNothing() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                to:
                  - journal: '{{if .tick == 1 then error("no") else .tick end}}'
                  - stdout
            """)
        let found = errors { rig.run(until: 30) }
        #expect(rig.records.lines() == ["10 info 0", "30 info 2"])
        #expect(rig.lines.value.count == 3)
        #expect(found.isEmpty)
        #expect(rig.records.lines(.sink) == ["20 err p: journal failed: no"])
        let record = try #require(rig.records.all(.sink).first)
        #expect(record[.pipeline] == "p" && record[.sink] == "journal" && record[.cause] == "tick:1")
        #expect(record[.error] == "no" && record.generation == 7)
        rig.drop()
    }

    @Test func oneThatWaitsToStartAgainCanBeStopped() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { bad: { from: tick, steps: [map: error], to: [stdout] } }
            """)
        let found = errors {
            rig.start()
            rig.scheduler.advanceTo(10)
            rig.stop()
            rig.scheduler.advanceTo(100)
        }
        #expect(found.count == 1)
        rig.drop()
    }

    @Test func anEndIsRecorded() throws {
        var plan = try Plan.read(
            "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }".utf8, file: "t.yaml")
        plan.sources = [Plan.Source(name: "tick", kindName: "twice", kind: Twice())]
        let rig = Rig(plan)
        let found = errors { rig.run(until: 100) }
        #expect(found.isEmpty && rig.lines.value == ["1", "2"])
        #expect(rig.records.lines(.source).last == "0 notice p has come to its end: its source tells no more")
        #expect(rig.records.all(.source).last?[.pipeline] == "p")
        rig.drop()
    }

    private struct Twice: SourceKind {
        func events(on scheduler: any SchedulerType) -> Observable<JSON> { .of(1, 2) }
        var summary: String { "twice" }
    }
}
