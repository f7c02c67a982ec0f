import RxDiagnostics
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// Failed events and a reload.
extension DeadLetterTests {
    @Test func reloadChangesRouteAndKeepsState() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        let records = RecordLog(scheduler)
        func graph(_ to: String, _ previous: Graph? = nil) throws -> Graph {
            try Graph(
                of: """
                    sources: { tick: { interval: { every: 10s, delay: 0s } } }
                    pipelines:
                      p:
                        from: tick
                        steps: [scan: { seed: 0, next: 'if .tick % 2 == 1 then error("no") else $state + 1 end' }]
                        onError: { to: { journal: "\(to) {{.value.tick}}" } }
                        to: [stdout]
                    """, replacing: previous, on: scheduler, records: records, lines: lines)
        }
        _ = try errors {
            var old: Graph? = try graph("old")
            old?.start { _ in }
            scheduler.advanceTo(15)
            var new: Graph? = try graph("new", old)
            new?.take(placeOf: old)
            scheduler.advanceTo(45)
            #expect(lines.value == ["0 1", "20 2", "40 3"])
            #expect(records.lines() == ["10 info old 1", "30 info new 3"])
            new?.dispose()
            (old, new) = (nil, nil)
            scheduler.start()
        }
    }

    @Test func reloadUpdatesLocationsOfOnErrorSinks() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let records = RecordLog(scheduler)
        func graph(_ more: String, _ previous: Graph? = nil) throws -> Graph {
            try Graph(
                of: """
                    sources: { tick: { interval: { every: 10s, delay: 0s } } }
                    \(more)pipelines:
                      p: { from: tick, steps: [map: 'error("no")'], onError: { to: { journal: '{{error("bad")}}' } }, to: [stdout] }
                    """, replacing: previous, on: scheduler, records: records)
        }
        _ = try errors {
            var old: Graph? = try graph("")
            old?.start { _ in }
            scheduler.advanceTo(5)
            var new: Graph? = try graph("# more\n", old)
            new?.take(placeOf: old)
            scheduler.advanceTo(15)
            #expect(
                records.lines(.sink) == [
                    "0 err p/onError: journal failed: t.yaml:3:78: bad",
                    "10 err p/onError: journal failed: t.yaml:4:78: bad",
                ])
            new?.dispose()
            (old, new) = (nil, nil)
            scheduler.start()
        }
    }

    /// A sink fails at the moment a reload replaces the receiver.
    @Test(arguments: [0, 1, 2]) func replacedReceiverLosesNoFailedEvent(moment: Int) throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        func graph(_ step: String, _ previous: Graph? = nil) throws -> Graph {
            try Graph(
                of: """
                    sources: { tick: { interval: 1h } }
                    pipelines:
                      p: { from: tick, onError: { to: failed }, to: [stdout] }
                      failed: { from: onError, steps: [\(step)], to: [stdout] }
                    """, replacing: previous, on: scheduler, lines: lines)
        }
        var old: Graph? = try graph("map: '[.value, 1]'")
        old?.start { _ in }
        scheduler.advanceTo(5)
        let unsettled = UnsettledEventTable()
        func fail(_ at: Int) throws {
            guard at == moment else { return }
            let event = try #require(unsettled.accept(SourceEvent("tick", sequence: 0, time: 0), 7))
            old?.deadLetters.send(["error": "x", "value": .null], of: event, from: "p")
        }
        var new: Graph? = try graph("map: '[.value, 2]'", old)
        try fail(0)
        if let old { new?.replace(old, drain: .zero) {} }
        try fail(1)
        scheduler.advanceTo(6)
        try fail(2)
        scheduler.advanceTo(7)
        #expect(lines.value.count == 1 && unsettled.count == 0, "\(lines.value)")
        #expect(lines.value.first == (moment == 0 ? "5 [7,1]" : moment == 1 ? "5 [7,2]" : "6 [7,2]"))
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }
}
