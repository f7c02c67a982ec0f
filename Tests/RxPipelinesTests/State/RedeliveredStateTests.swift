import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Redelivered events and replays reach steps with a saved state.
@Suite(.balanced) struct RedeliveredStateTests {
    private let rig = StateRig()

    private func config(_ steps: String, more: String = "") -> String {
        """
        sources: { s: { interval: 1h }, other: { interval: 1h } }
        pipelines:
          p: { from: s, steps: \(steps), to: [stdout] }
          q: { from: other, to: [journal: "{{.}}"] }
        \(more)
        """
    }

    private func restart(_ config: String) throws {
        rig.kill()
        try rig.start(config)
    }

    /// An endless inner source starts anew: nothing is stored of the values that the previous one emitted.
    @Test func endlessInnerSourceStartsAnew() throws {
        let config = config(
            "[flatMapLatest: { interval: { every: 10s } }, map: .tick, enumerated: null, map: '[.index, .value]']")
        try rig.start(config)
        rig.emit(1)
        rig.wait(35)
        #expect(rig.graph?.unsettled.map(\.results.made.count) == [0])
        try restart(config)
        rig.wait(25)
        #expect(rig.lines.value == ["[0,0]", "[1,1]", "[2,2]", "[3,0]", "[4,1]"])
        rig.end()
    }

    /// Each of its events reaches a sink in several ways.
    @Test func eventsOfEndlessInnerSourceHaveDistinctIDs() throws {
        let id = "journal: { message: '{{$event.id}}' }"
        let config = """
            sources: { s: { interval: 1h }, other: { interval: 1h } }
            pipelines:
              p: { from: s, steps: [flatMapLatest: { interval: { every: 10s } }], onError: { to: [\(id)] } }
              x: { from: p, steps: [map: .tick] }
              y: { from: p }
              w: { merge: [x, y] }
              z: { merge: [x, y, w], to: [\(id)] }
              q: { from: other, to: [journal: "{{.}}"] }
            """
        try rig.start(config)
        rig.emit(1)
        rig.wait(35)
        let ids = rig.records.lines().compactMap { $0.split(separator: " ").last }
        #expect(ids.count == 12 && Set(ids).count == 12)
        rig.end()
    }

    /// A pipeline without a saved state does not receive an event both as a replay and as new. It has none if it is
    /// volatile, or if its text has changed.
    @Test(arguments: [("state: volatile,", "10s"), ("", "9s")])
    func redeliveredEventIsNotReplayed(state: String, delay: String) throws {
        func config(_ delay: String) -> String {
            self.config("[distinctUntilChanged: null, delay: \(delay)]").replacing("p: {", with: "p: { \(state)")
        }
        try rig.start(config("10s"))
        rig.emit(5)
        try restart(config(delay))
        rig.wait(11)
        #expect(rig.lines.value == ["5"])
        rig.end()
    }

    /// A restored replay has each event once, also if the event is delivered again.
    @Test func redeliveredEventsAreKeptOnceForReplay() throws {
        func config(_ more: String = "") -> String {
            """
            sources: { s: { interval: 1h }, other: { interval: 1h } }
            pipelines:
              p: { from: s, share: { replay: 5 }, steps: [map: .] }
              held: { from: p, steps: [delay: 10s], to: [journal: x] }
              q: { from: other, to: [journal: x] }
            \(more)
            """
        }
        try rig.start(config())
        for value in [1, 2, 3] as [JSON] { rig.emit(value) }
        try restart(config())
        rig.emit(4)
        rig.wait(11)
        try restart(config("  new: { from: p, to: [stdout: { onReplay: act }] }"))
        #expect(rig.lines.value == ["1", "2", "3", "4"])
        rig.end()
    }

    @Test func sinksIgnoreReplaysFromBeforeRestart() throws {
        let config = config("[]").replacing("[stdout]", with: "[stdout: { onReplay: act }]")
        try rig.start(config)
        rig.emit(3)
        try restart(config)
        #expect(rig.lines.value == ["3"])
        rig.end()
    }

    @Test func takeUntilEmitsRedeliveredEventsItHadTaken() throws {
        let config = config("[takeUntil: other, delay: 10s]")
        try rig.start(config)
        rig.emit(1)
        rig.emit(0, from: "other")
        try restart(config)
        rig.emit(2)
        rig.wait(11)
        #expect(rig.lines.value == ["1"])
        rig.end()
    }

    @Test func skipUntilStaysOpen() throws {
        let config = config(
            "[skipUntil: other, delay: 10s]", more: "  held: { from: s, steps: [delay: 100s] , to: [journal: x] }")
        try rig.start(config)
        rig.emit(1)
        rig.emit(0, from: "other")
        rig.emit(2)
        try restart(config)
        rig.emit(3)
        rig.wait(11)
        #expect(rig.lines.value == ["2", "3"])
        rig.end()
    }

    @Test(arguments: ["skip: { for: 10s }", "delaySubscription: 10s"])
    func openedStepLosesNoRedeliveredEvent(step: String) throws {
        let config = config("[\(step), delay: 30s]")
        try rig.start(config)
        rig.emit(1)
        rig.wait(11)
        rig.emit(2)
        try restart(config)
        rig.wait(31)
        #expect(rig.lines.value == ["2"])
        rig.end()
    }

    /// An event that a later one had replaced is not emitted after that.
    @Test(arguments: ["debounce: 2s", "throttle: { span: 2s, latest: true }", "sample: other"])
    func replacedEventIsNotEmittedAgain(step: String) throws {
        let config = config("[\(step)]", more: "  held: { from: s, steps: [delay: 100s] , to: [journal: x] }")
        try rig.start(config)
        for value in [1, 2, 3] as [JSON] { rig.emit(value) }
        rig.wait(3)
        rig.emit(0, from: "other")
        let before = rig.lines.value
        #expect(before.last == "3")
        try restart(config)
        rig.wait(3)
        rig.emit(0, from: "other")
        #expect(rig.lines.value == before)
        rig.end()
    }

    @Test func ambIgnoresReplays() throws {
        let config = """
            sources: { a: { interval: 1h }, b: { interval: 1h } }
            pipelines:
              p: { amb: [a, b], to: [stdout] }
              q: { from: a, to: [journal: x] }
            """
        try rig.start(config)
        rig.emit(1, from: "b")
        rig.emit(2, from: "a")
        try restart(config)
        rig.emit(3, from: "b")
        #expect(rig.lines.value == ["1", "3"])
        rig.end()
    }

    @Test func pendingValuesAreInSnapshot() throws {
        let config = config("[delay: 10s]").replacing(
            "s: { interval: 1h }", with: "s: { interval: { every: 1h, inFlight: 1 } }")
        try rig.start(config)
        for value in [1, 2, 3] as [JSON] { rig.emit(value) }
        try restart(config)
        rig.wait(30)
        #expect(rig.lines.value == ["1", "3"])
        rig.end()
    }

    /// Redelivered events of several processes keep their order.
    @Test func orderIsKeptOverSeveralRestarts() throws {
        let config = config("[delay: 30s]")
        try rig.start(config)
        for value in [1, 2, 3] as [JSON] { rig.emit(value) }
        try restart(config)
        for value in [4, 5] as [JSON] { rig.emit(value) }
        try restart(config)
        rig.emit(6)
        try restart(config)
        rig.wait(31)
        #expect(rig.lines.value == ["1", "2", "3", "4", "5", "6"])
        rig.end()
    }
}
