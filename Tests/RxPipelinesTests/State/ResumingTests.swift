import RxEngine
import RxEngineTest
import RxJSON
import SeededRandom
import TestSupport
import Testing

@testable import RxPipelines

/// Sources that resume emit again what followed the snapshot of a crashed process.
@Suite(.balanced) struct ResumingTests {
    private let rig = StateRig(canResume: true)

    private func config(_ steps: String, more: String = "") -> String {
        """
        sources: { s: { interval: 1h } }
        pipelines:
          p: { from: s, steps: \(steps), to: [stdout] }
        \(more)
        """
    }

    private func crash(_ config: String) throws {
        rig.crash()
        try rig.start(config)
    }

    @Test func positionAndStateAreConsistent() throws {
        let config = config("[scan: { seed: 0, next: $state + $value }]")
        try rig.start(config)
        rig.emit(1)
        rig.save()
        rig.emit(2)
        rig.emit(4)
        #expect(rig.snapshot.nodes["s"]?.cells["position"]?.json == 1 && rig.snapshot.nodes["p"]?.cells["0"]?.json == 1)
        try crash(config)
        rig.emit(8)
        // No line is printed twice, and nothing is counted twice.
        #expect(rig.lines.value == ["1", "3", "7", "15"])
        rig.end()
    }

    @Test func everythingSinceStartIsEmittedAgain() throws {
        let config = config("[map: '[., $event.id, $event.redelivered]', delay: 10s]")
        try rig.start(config)
        rig.emit(1)
        rig.wait(11)
        rig.emit(2)
        rig.wait(5)
        try crash(config)
        rig.wait(11)
        let name = EventName.make(of: "1")
        #expect(rig.lines.value.count == 2 && rig.lines.value.last == "[2,\"s:\(name)\",false]")
        rig.end()
    }

    /// An event that no sink had finished may not have been delivered; an event that one of several sinks had finished
    /// reaches the others only.
    @Test func sinksSkipFinishedEvents() throws {
        let config = config(
            "[map: '[$event.redelivered, .]']",
            more: "  q: { from: s, steps: [map: '[$event.id, .]', delay: 10s], to: [stdout] }")
        try rig.start(config)
        rig.save()
        rig.emit(1)
        #expect(rig.lines.value == ["[false,1]"] && rig.finished.count == 1)
        try crash(config)
        rig.emit(2)
        rig.wait(11)
        let names = ["0", "1"].map { EventName.make(of: $0) }
        #expect(rig.lines.value == ["[false,1]", "[false,2]", "[\"s:\(names[0])\",1]", "[\"s:\(names[1])\",2]"])
        // The progress of the previous process is of no more use.
        rig.save()
        #expect(rig.snapshot.finished.isEmpty && rig.snapshot.events.isEmpty)
        rig.end()
    }

    /// An event of the snapshot is not emitted by the source as well.
    @Test func unsettledEventsAreNotReadAgain() throws {
        let config = config("[delay: 10s, map: '[., $event.id]']")
        try rig.start(config)
        rig.emit(1)
        rig.emit(2)
        rig.save()
        rig.emit(3)
        try crash(config)
        rig.wait(11)
        #expect(rig.lines.value == (0..<3).map { "[\($0 + 1),\"s:\(EventName.make(of: "\($0)"))\"]" })
        rig.end()
    }

    @Test func pendingValuesAreNotReadAgain() throws {
        let config = config("[delay: 10s]").replacing(
            "{ interval: 1h }", with: "{ interval: { every: 1h, inFlight: 1 } }")
        try rig.start(config)
        for value in [1, 2, 3] as [JSON] { rig.emit(value) }
        rig.save()
        #expect(rig.snapshot.nodes["s"]?.cells["position"]?.json == 3)
        try crash(config)
        rig.wait(30)
        #expect(rig.lines.value == ["1", "3"])
        rig.end()
    }

    /// Values that wait at `inFlight` are read again before the source has caught up, and become events afterwards.
    @Test(arguments: [1, 2, 100]) func sinksSkipFinishedPendingValues(inFlight: Int) throws {
        let config = config("[]", more: "  q: { from: s, steps: [delay: 10s, map: '[.]'], to: [stdout] }")
        func bounded(_ inFlight: Int) -> String {
            config.replacing("{ interval: 1h }", with: "{ interval: { every: 1h, inFlight: \(inFlight) } }")
        }
        try rig.start(bounded(inFlight))
        for value in [1, 2, 3, 4, 5] as [JSON] {
            rig.emit(value)
            if inFlight < 5 { rig.wait(11) }
        }
        try crash(bounded(inFlight))
        rig.wait(100)
        rig.emit(6)
        rig.wait(11)
        #expect(rig.lines.value.sorted() == ["1", "2", "3", "4", "5", "6", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]"])
        rig.save()
        #expect(rig.snapshot.finished.isEmpty && rig.snapshot.events.isEmpty)
        rig.end()
    }

    @Test func sourceWithChangedTextStartsAnew() throws {
        try rig.start(config("[]"))
        rig.emit(1)
        rig.save()
        try crash(config("[]").replacing("1h", with: "2h"))
        #expect(rig.lines.value == ["1", "1"])
        rig.end()
    }

    /// Random pipelines over one source crash at random moments after random snapshots: the output is the same as
    /// without crashes.
    @Test func crashesDoNotChangeOutput() throws {
        for number in 0..<StateModelTests.programs {
            let seed = StateModelTests.seed + UInt64(number)
            var random = SplitMix64(seed: seed)
            let steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.step(&random) }
            let config = config("[\(steps.joined(separator: ", "))]")
            let moves = (0..<Int.random(in: 5...30, using: &random)).map { _ in Int.random(in: 0..<12, using: &random) }
            let (whole, cut) = (try Self.run(config, moves, crashes: false), try Self.run(config, moves, crashes: true))
            #expect(whole == cut, "seed \(seed): \(config) \(moves)")
            if whole != cut { return }
        }
    }

    private static func step(_ random: inout SplitMix64) -> String {
        let steps = [
            "scan: { seed: 0, next: '$state + 1' }", "distinctUntilChanged: null", "pairwise: null", "enumerated: null",
            "skip: 2", "filter: 'tostring | length < 9'", "map: '[.]'", "delay: 3s", "buffer: { count: 1 }",
            "groupBy: { key: 'tostring | length % 3', steps: [scan: { seed: 0, next: '$state + 1' }] }",
        ]
        return steps[Int.random(in: 0..<steps.count, using: &random)]
    }

    private static func run(_ config: String, _ moves: [Int], crashes: Bool) throws -> [String] {
        let rig = StateRig(canResume: true)
        try rig.start(config)
        for move in moves {
            switch move {
            case 0..<7: rig.emit(.number(Double(move / 2)))
            case 7, 8: rig.wait(TestTime(move - 5))
            case 9 where crashes: rig.save()
            case 10 where crashes:
                rig.crash()
                try rig.start(config)
            default: break
            }
        }
        rig.wait(1000)
        rig.end()
        return rig.lines.value
    }
}
