import Glibc
import RxEngine
import RxEngineTest
import RxLinux
import RxPipelines
import TestSupport
import Testing

@Suite(.balanced) struct GraphTests {
    /// Printed lines are counted by pipeline, and the drops of a previous graph are included.
    @Test func droppedLinesAreCountedByPipeline() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        func graph(_ config: String, _ previous: Graph? = nil) throws -> Graph {
            Graph(
                try Plan.read(config.utf8, file: "t.yaml"), replacing: previous, generation: { 1 }, host: .inline(),
                records: RecordLog(scheduler),
                printLine: { $1.end($0.contains("x") ? .failed(SystemError(ENOSPC, "writing to it")) : .written) },
                makeScheduler: { _ in scheduler })
        }
        let sources = "sources: { tick: { interval: 10s } }\n"
        let first = try graph(
            sources + "pipelines: { p: { from: tick, steps: [map: '\"x\"'], to: [stdout, stdout] },"
                + " q: { from: tick, to: [stdout] }, r: { from: tick } }")
        first.start { _ in }
        scheduler.advanceTo(30)
        #expect(first.flows.mapValues(\.dropped) == ["p": 6, "q": 0] && first.flow.dropped == 6)
        let second = try graph(
            sources + "pipelines: { p: { from: tick, steps: [map: '\"xx\"'], to: [stdout] } }", first)
        second.start { _ in second.replace(first, drain: .zero) {} }
        scheduler.advanceTo(40)
        #expect(second.flows.mapValues(\.dropped) == ["p": 1] && second.flow.dropped == 7)
        second.dispose()
        scheduler.start()
    }

    @Test func eventsPassStepsAndReachSinks() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                steps:
                  - map: "{n: .tick, at: .time}"
                  - filter: .n % 2 == 1
                to:
                  - journal: { priority: notice, message: "{{.n}} at {{.at}} of {{$event.cause}}" }
                  - stdout
            """)
        rig.run(until: 45)
        #expect(rig.records.lines() == ["20 notice 1 at 20 of tick:1", "40 notice 3 at 40 of tick:3"])
        #expect(rig.lines.value == [#"{"n":1,"at":20}"#, #"{"n":3,"at":40}"#])
        rig.drop()
    }

    @Test func recordNamesItsPipeline() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 5s } } }
            pipelines: { p: { from: tick, to: [journal] } }
            """)
        rig.run(until: 20)
        let record = try #require(rig.records.all(.event).last)
        #expect(record.kind == .event && record.priority == .info && record.generation == 7)
        #expect(record.message == #"{"tick":1,"time":15}"#)
        #expect(
            Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field.rawValue, $0.value) }) == [
                "RX_PIPELINE": "p", "RX_SOURCE": "tick", "RX_SINK": "journal", "RX_SEQUENCE": "1",
                "RX_CAUSE": "tick:1", "RX_EVENT_ID": "tick:0:1", "RX_SOURCE_TIME": "15",
            ])
        rig.drop()
    }

    @Test func pipelinesShareOneRunOfSource() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, to: [journal: "p {{$event.cause}}"] }
              q: { from: tick, to: [journal: "q {{$event.cause}}"] }
            """)
        rig.run(until: 25)
        #expect(
            rig.records.lines() == [
                "10 info p tick:0", "10 info q tick:0", "20 info p tick:1", "20 info q tick:1",
            ])
        rig.drop()
    }

    @Test func pipelineMayStartFromPipeline() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              last: { from: odd, steps: [map: "\\"n \\\\(.)\\""], to: [journal] }
              odd: { from: numbers, steps: [filter: . % 2 == 1] }
              numbers: { from: tick, steps: [map: .tick], to: [stdout] }
            """)
        rig.run(until: 45)
        #expect(rig.records.lines() == [#"20 info "n 1""#, #"40 info "n 3""#])
        #expect(rig.records.all(.event).map { $0[.cause] } == ["tick:1", "tick:3"])
        #expect(rig.records.all(.event).map { $0[.pipeline] } == ["last", "last"])
        #expect(rig.lines.value == ["0", "1", "2", "3"])
        rig.drop()
    }

    @Test func firstOutputOfExpressionIsUsed() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              none: { from: tick, steps: [map: empty], to: [journal: "none {{.}}"] }
              many: { from: tick, steps: [map: "1, 2"], to: [journal: "many {{.}}"] }
              null: { from: tick, steps: [filter: 'null'], to: [stdout] }
              false: { from: tick, steps: [filter: "false, true"], to: [stdout] }
              empty: { from: tick, steps: [filter: empty], to: [stdout] }
              zero: { from: tick, steps: [filter: 0], to: [journal: "zero"] }
            """)
        rig.run(until: 10)
        #expect(rig.records.lines() == ["10 info none null", "10 info many 1", "10 info zero"])
        #expect(rig.lines.value == [])
        rig.drop()
    }

    @Test func eventIsBoundInStepsAndTemplates() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                steps: [filter: $event.sequence == 1, map: $event]
                to: [journal: "{{.cause}} {{$event.source}} {{$event.sequence}} {{$event.time}}"]
            """)
        rig.run(until: 35)
        #expect(rig.records.lines() == ["20 info tick:1 tick 1 20"])
        rig.drop()
    }

    @Test func runOfSourceIsRecorded() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, to: [stdout] }
              q: { from: p, to: [stdout] }
            """)
        rig.run(until: 30)
        #expect(rig.records.lines(.source) == ["0 info tick is armed: interval every 10s"])
        #expect(rig.records.all(.source).map { $0[.source] } == ["tick"])
        rig.drop()
    }

    @Test func sourceWithoutSinkDoesNotRun() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s }, alone: { interval: 10s } }
            pipelines: { p: { from: tick }, q: { from: p, steps: [map: error] } }
            """)
        let found = errors { rig.run(until: 30) }
        #expect(found.isEmpty && rig.records.all(.event, .source).isEmpty)
        #expect(rig.armed.value == 1)
        #expect(rig.graph?.schedulers.isEmpty == true)
        #expect(rig.graph?.accounts.map { $0.count(of: .subscription) } == [0, 0])
        rig.drop()
    }

    @Test func connectedNodesRunOnOneScheduler() throws {
        let rig = try Rig(
            """
            sources: { a: { interval: 10s }, b: { interval: 10s }, idle: { interval: 1s } }
            pipelines:
              p: { from: a, to: [stdout] }
              q: { from: p, to: [stdout] }
              r: { from: a, to: [stdout] }
              s: { from: b, to: [stdout] }
              t: { from: idle }
            """)
        #expect(rig.components.value.count == 3 && Set(rig.components.value).count == 3)
        #expect(rig.graph?.schedulers.count == 2)
        #expect(rig.graph?.accounts.map(\.name) == ["p", "q", "r", "s", "t"])
        #expect(rig.graph?.sourceAccounts.map(\.name) == ["a", "b", "idle"])
        rig.drop()
    }

    @Test func graphIsArmedWhenEveryPipelineRuns() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, to: [stdout] }, q: { from: tick, to: [stdout] } }
            """)
        rig.start()
        #expect(rig.armed.value == 0)
        rig.scheduler.advanceTo(0)
        #expect(rig.armed.value == 1)
        rig.drop()
    }

    @Test func graphDisposedBeforeStartDoesNotRun() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, to: [stdout] } }
            """)
        rig.start()
        rig.stop()
        rig.scheduler.advanceTo(50)
        #expect(rig.lines.value == [])
        rig.drop()
    }

    @Test func disposeStopsEverything() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, steps: [map: .tick], to: [stdout] }
              q: { from: p, steps: [filter: true, map: .], to: [journal] }
              failing: { from: tick, steps: [map: error], to: [journal] }
            """)
        _ = errors {
            rig.start()
            rig.scheduler.advanceTo(15)
        }
        let accounts = try #require(rig.graph?.accounts)
        #if TRACE_RESOURCES
        #expect(accounts.allSatisfy { $0.total > 0 })
        #expect(accounts.prefix(2).allSatisfy { $0.count(of: .subscription) > 0 })
        #endif
        rig.stop()
        _ = errors { rig.scheduler.advanceTo(100) }
        #expect(rig.lines.value == ["0"] && rig.records.lines() == ["10 info 0"])
        #expect(accounts.map { $0.count(of: .subscription) } == [0, 0, 0])
        rig.drop()
        #expect(accounts.map(\.total) == [0, 0, 0])
    }
}
