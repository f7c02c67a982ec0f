import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// Events of a source are settled when nothing retains them that could still lead to an action.
@Suite(.balanced) struct SettlingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let steps: String
        /// The number of unsettled events after 15, 25, 35 and 45, with one event at each of 10, 20, 30 and 40.
        let unsettled: [Int]

        init(_ steps: String, _ unsettled: [Int]) {
            (self.steps, self.unsettled) = (steps, unsettled)
        }

        var testDescription: String { steps }
    }

    static let rows = [
        Row("[map: .tick]", [0, 0, 0, 0]),
        Row("[filter: .tick == 9]", [0, 0, 0, 0]),
        Row("[debounce: 7s]", [1, 1, 1, 1]),
        Row("[debounce: 4s]", [0, 0, 0, 0]),
        Row("[delay: 17s]", [1, 2, 2, 2]),
        Row("[throttle: 25s]", [0, 1, 0, 1]),
        Row("[throttle: { span: 25s, latest: false }]", [0, 0, 0, 0]),
        Row("[buffer: { count: 3 }]", [1, 2, 0, 1]),
        Row("[buffer: { count: 2, skip: 1 }]", [1, 1, 1, 1]),
        Row("[buffer: { span: 22s }]", [1, 0, 1, 0]),
        Row("[takeLast: 2]", [1, 2, 2, 2]),
        Row("[toArray]", [1, 2, 3, 4]),
        Row("[take: 3, toArray]", [1, 2, 0, 0]),
        Row("[window: { count: 3, steps: [toArray] }]", [1, 2, 0, 1]),
        Row("[groupBy: { key: .tick % 2, steps: [debounce: 7s] }]", [1, 1, 1, 1]),
        // An event that is only remembered is settled.
        Row("[scan: { seed: 0, next: $state + 1 }]", [0, 0, 0, 0]),
        Row("[reduce: { seed: 0, next: $state + 1 }]", [1, 1, 1, 1]),
        Row("[distinctUntilChanged]", [0, 0, 0, 0]),
        Row("[pairwise]", [0, 0, 0, 0]),
        Row("[withLatestFrom: tick]", [0, 0, 0, 0]),
        Row("[sample: slow]", [1, 0, 1, 0]),
        Row("[skip: 2]", [0, 0, 0, 0]),
    ]

    private func counts(_ config: String) throws -> [Int] {
        let rig = try Rig(config)
        rig.start()
        let counts = [15, 25, 35, 45].map { time in
            rig.scheduler.advanceTo(time)
            return rig.graph?.unsettledCounts["tick"] ?? -1
        }
        rig.drop()
        return counts
    }

    @Test(arguments: rows) func pendingEventsAreUnsettled(row: Row) throws {
        let counts = try counts(
            """
            sources: { tick: { interval: { every: 10s } }, slow: { interval: { every: 20s, delay: 23s } } }
            pipelines: { p: { from: tick, steps: \(row.steps), to: [stdout] } }
            """)
        #expect(counts == row.unsettled)
    }

    @Test(arguments: ["combineLatest", "zip", "merge"]) func rememberedEventsOfCombinationsAreSettled(
        _ combination: String
    ) throws {
        let counts = try counts(
            """
            sources: { tick: { interval: 10s }, slow: { interval: 17s } }
            pipelines:
              p: { \(combination): [tick, slow], to: [stdout] }
              q: { from: p, share: { replay: 3 }, steps: [map: .], to: [stdout] }
            """)
        #expect(counts == [0, 0, 0, 0])
    }

    /// A list retains the events that it was made of until it is settled itself.
    @Test func listRetainsAllOfItsEvents() throws {
        let counts = try counts(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, steps: [buffer: { count: 2 }, delay: 12s], to: [stdout] } }
            """)
        #expect(counts == [1, 2, 1, 2])
    }

    /// One pipeline may have finished an event while another has not.
    @Test func eventIsSettledByLastPipeline() throws {
        let counts = try counts(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, to: [stdout] }
              q: { from: tick, steps: [delay: 7s], to: [stdout] }
            """)
        #expect(counts == [1, 1, 1, 1])
    }

    /// Sinks finish the events that are made of one in any order.
    @Test func progressOfTwoRecordsIsJoined() {
        var progress = SinkProgress(done: ["p/x": [0, 3, 7]], failures: ["p/x": [5: "no"]])
        progress.add(SinkProgress(done: ["p/x": [1, 4], "p/y": [2]], failures: ["p/x": [6: "why"]]))
        #expect(
            progress
                == SinkProgress(
                    done: ["p/x": [0, 1, 3, 4, 7], "p/y": [2]], failures: ["p/x": [5: "no", 6: "why"]]))
        progress.add(SinkProgress(done: ["p/x": [0, 1, 2]]))
        #expect(progress.done["p/x"] == [0, 1, 2, 3, 4, 7])
    }

    /// Progress is known as long as the event is in flight, as when a reload passes it to new steps.
    @Test func progressOfSinksIsKnownWhileInFlight() throws {
        let unsettled = UnsettledEventTable()
        do {
            let source = SourceEvent("s", run: "r", sequence: 0, time: 0)
            let event = try #require(unsettled.accept(UnsettledEvent(source, 1)))
            let (first, second) = (event.part("a-0"), event.part("a-1"))
            let begun = try #require(first.begun(at: "p/x")?.event)
            #expect(first.begun(at: "p/x")?.event.id == "s:r:0.a-0.1" && second.begun(at: "p/x")?.event.ordinal == 0)
            begun.finish(at: "p/x")
            first.begun(at: "p/y")?.event.fail(at: "p/y", "why")
            #expect(first.delivery?.arrival(0, at: "p/x").isDone == true)
            #expect(first.delivery?.arrival(0, at: "p/y").failure == "why")
            #expect(second.delivery?.arrival(0, at: "p/x").isDone == false)
            // A redelivered outer event makes new inner events.
            #expect(unsettled.all.map(\.progress) == [SinkProgress()])
        }
        #expect(unsettled.count == 0)
    }
}
