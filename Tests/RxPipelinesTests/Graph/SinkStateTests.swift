import Foundation
import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// The work so far and the waiting events of the sinks of a graph.
@Suite(.balanced) struct SinkStateTests {
    private func states(_ rig: ReloadRig) throws -> [String: SinkState] {
        let states = try #require(rig.graph).sinkStates
        return Dictionary(uniqueKeysWithValues: states.map { ($0.key, $0) })
    }

    @Test func deliveredEventsAreCounted() throws {
        let rig = ReloadRig()
        try rig.run(
            """
            sources: { s: { interval: 1s } }
            pipelines:
              p: { from: s, to: [stdout, journal: x, journal: "{{.a.b}}"] }
              q: { from: s, steps: [filter: "false"], to: [stdout] }

            """)
        rig.emit(1)
        rig.wait(3)
        rig.emit(2)
        let all = try #require(rig.graph).sinkStates
        #expect(all.map(\.key) == ["p/stdout", "p/journal", "p/journal-2", "q/stdout"])
        #expect(all.map(\.activity.delivered) == [2, 2, 0, 0])
        let first = all[0]
        #expect(first.pipeline == "p" && first.name == "stdout" && !first.isHeld)
        #expect(first.activity.last?.event.cause == "s:1" && first.activity.last?.time.timeIntervalSince1970 == 3)
        #expect(first.failure == nil && first.oldest == nil && first.queuedBytes == 0)
        // The failure of one sink is not that of another.
        #expect(all[2].failure?.count == 2 && all[2].failure?.event?.cause == "s:1" && all[2].activity.last == nil)
        #expect(all[3].activity.last == nil)
        _ = rig.end()
    }

    /// A sink that is being replaced passes on its waiting events and its numbers.
    @Test func waitingEventsAreMeasured() throws {
        let rig = ReloadRig()
        func config(_ queue: Int) -> String {
            """
            sources: { s: { interval: 1s } }
            pipelines: { p: { from: s, to: [stdout: { queue: \(queue) }] } }

            """
        }
        try rig.run(config(7))
        rig.emit("first")
        rig.wait(5)
        rig.isStuck.update { $0 = true }
        rig.emit("second", "third")
        let stuck = try #require(states(rig)["p/stdout"])
        #expect(stuck.activity.delivered == 1 && stuck.flow.queued == 2 && stuck.oldest?.cause == "s:1")
        #expect(stuck.queuedBytes > 0 && stuck.spooledBytes == 0)
        try rig.run(config(8))
        rig.emit("fourth")
        let held = try #require(states(rig)["p/stdout"])
        #expect(held.isHeld && held.flow.queued == 1 && held.oldest?.cause == "s:3")
        #expect(held.activity.delivered == 1 && held.activity.last?.event.cause == "s:0")
        rig.isStuck.update { $0 = false }
        // Until the drain is over.
        rig.wait(20)
        let done = try #require(states(rig)["p/stdout"])
        #expect(!done.isHeld && done.flow.queued == 0 && done.oldest == nil)
        #expect(done.activity.delivered == 4 && done.activity.last?.event.cause == "s:3")
        _ = rig.end()
    }
}
