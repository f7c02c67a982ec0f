import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Events in flight in the steps of a pipeline that a reload changes.
@Suite(.balanced) struct ReloadInFlightTests {
    private let rig = ReloadRig()

    private static let source = "sources: { s: { interval: 1h } }\npipelines:\n"

    private static func config(_ name: String, _ steps: String, _ more: String = "") -> String {
        source + "  p: { from: s, steps: [\(steps), map: '\"\(name) \\(.)\"'], to: [stdout] }\n" + more
    }

    @Test func oldStepsFinishWithinDrain() throws {
        try rig.run(Self.config("old", "delay: 5s"))
        rig.emit(1)
        rig.wait(1)
        rig.emit(2)
        rig.wait(1)
        try rig.run(Self.config("new", "delay: 5s"))
        rig.wait(1)
        // After those that are in flight.
        rig.emit(3)
        #expect(rig.graph?.unsettledCount == 3)
        #expect(rig.end(after: 20) == [#"5 "old 1""#, #"6 "old 2""#, #"11 "new 3""#])
        #expect(rig.inFlight == [])
    }

    /// A line that is not written goes to the new sink when the drain ends, wherever the time of day is set to.
    @Test(arguments: [0, 3600, -3600, 1_000_000_000])
    func drainMeasuresElapsedTime(jump: Int) throws {
        try rig.run(Self.config("old", "delay: 2s"))
        rig.emit(1)
        rig.wait(1)
        rig.isStuck.update { $0 = true }
        try rig.run(Self.config("new", "delay: 2s"))
        rig.wall.jump(by: jump)
        rig.wait(4)
        rig.isStuck.update { $0 = false }
        #expect(rig.end(after: 20) == [#"2 "old 1""#, #"11 "old 1""#])
    }

    /// What new steps emit for events that were in flight when the drain ended at 3, after a third event has arrived.
    /// If no event is left, they get the last event as a replay.
    @Test(
        arguments: [
            ("delay: 5s", [#"8 "new 1""#, #"8 "new 2""#, #"8 "new 3""#], 2),
            ("debounce: 5s", [#"8 "new 3""#], 1),
            ("buffer: { count: 3 }", [#"3 "new [1,2,3]""#], 2),
            ("buffer: { span: 9s }", [#"9 "old [1,2]""#, #"18 "new [2,3]""#, #"27 "new []""#], 0),
        ] as [(String, [String], Int)])
    func eventsAfterDrainAreRedelivered(steps: String, expected: [String], count: Int) throws {
        try rig.run(Self.config("old", steps))
        rig.emit(1, 2)
        rig.wait(1)
        try rig.run(Self.config("new", steps), drain: .seconds(expected.first?.hasPrefix("9") == true ? 20 : 2))
        rig.wait(1)
        rig.emit(3)
        #expect(rig.end(after: 26) == expected)
        let events = count == 1 ? "1 event" : "\(count) events"
        #expect(
            rig.inFlight
                == (count == 0
                    ? []
                    : [
                        "3 notice p: \(events) in flight in the old steps; redelivering: \(count == 1 ? "s:0:1" : "s:0:0, s:0:1")"
                    ]))
    }

    /// Whether steps with new inputs can take what was in flight in steps with the old ones: every event of those must
    /// also come from these, unchanged.
    @Test(
        arguments: [
            ("from: a", "from: a", true), ("from: a", "from: b", false), ("from: a", "merge: [b, a]", true),
            ("merge: [a, b]", "from: a", false), ("merge: [a, b]", "merge: [b, a]", true),
            ("merge: [a, b]", "merge: [c, b, a]", true), ("zip: [a, b]", "zip: [a, b]", true),
            ("zip: [a, b]", "zip: [b, a]", false), ("zip: [a, b]", "zip: [a, b, c]", false),
            ("zip: [a, b]", "merge: [a, b]", false), ("merge: [a, b]", "zip: [a, b]", false),
            ("zip: [a, b]", "combineLatest: [a, b]", false), ("zip: { x: a, y: b }", "zip: { x: a, y: b }", true),
            ("zip: { x: a, y: b }", "zip: { x: a, z: b }", false), ("zip: { x: a, y: b }", "zip: [a, b]", false),
            ("merge: { x: a, y: b }", "merge: { x: a, y: b }", true),
            ("merge: { x: a, y: b }", "merge: [a, b]", false), ("from: a", "from: onError", false),
        ] as [(String, String, Bool)])
    func newInputsIncludeOldOnes(old: String, new: String, isIncluded: Bool) throws {
        func inputs(_ text: String) throws -> InputNodes {
            let config = """
                sources: { a: { interval: 1h }, b: { interval: 1h }, c: { interval: 1h } }
                pipelines: { p: { \(text), to: [stdout] }, q: { from: a, to: [stdout], onError: { to: p } } }
                """
            return try #require(Plan.read(config.utf8, file: "t.yaml").pipelines.first { $0.name == "p" }).inputs
        }
        #expect(try inputs(new).include(inputs(old)) == isIncluded)
    }

    /// A sink that was removed, and is added again while the old one still has an event, works after that one.
    @Test func readdedSinkWaitsForRemovedSink() throws {
        func config(_ sink: String) -> String { Self.source + "  p: { from: s, to: [\(sink)] }\n" }
        try rig.run(config("stdout"))
        rig.isStuck.update { $0 = true }
        rig.emit(1)
        try rig.run(config("journal"))
        rig.isStuck.update { $0 = false }
        try rig.run(config("stdout"))
        rig.emit(2)
        #expect(rig.lines.value == ["0 1"])
        #expect(rig.end(after: 20) == ["0 1", "10 2"])
    }

    @Test func redeliveredEventsKeepTheirIDs() throws {
        func config(_ name: String) -> String {
            Self.config(name, "delay: 5s, map: '[., $event.id, $event.redelivered, $event.replayed]'")
        }
        try rig.run(config("old"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(config("new"), drain: .seconds(1))
        #expect(rig.end(after: 20) == [#"7 "new [1,\"s:0:0\",true,false]""#])
    }

    /// An unchanged pipeline neither loses nor repeats an event.
    @Test func unchangedPipelinesLoseAndRepeatNothing() throws {
        let more = """
              q: { from: s, steps: [scan: { seed: 0, next: $state + . }, delay: 3s], to: [stdout] }
              r: { from: s, to: [stdout] }
            """
        try rig.run(Self.config("old", "delay: 5s", more))
        rig.emit(1)
        rig.wait(1)
        try rig.run(Self.config("new", "delay: 5s", more), drain: .seconds(1))
        rig.wait(2)
        rig.emit(2)
        #expect(
            rig.end(after: 20) == ["0 1", "3 1", "3 2", "6 3", #"7 "new 1""#, #"8 "new 2""#])
    }

    /// `inFlight` changes while the source and the steps continue with their state.
    @Test(
        arguments: [
            (1, 3, 2, ["10 [0,1]", "11 [1,5]", "11 [2,6]", "20 [3,8]"]),
            (3, 1, 4, ["10 [0,1]", "10 [1,2]", "10 [2,3]", "20 [3,8]"]),
        ] as [(Int, Int, Int, [String])])
    func inFlightChangesWhileSourceRuns(before: Int, after: Int, unsettled: Int, lines: [String]) throws {
        func config(_ inFlight: Int) -> String {
            """
            sources: { s: { interval: { every: 1h, inFlight: \(inFlight) } } }
            pipelines: { p: { from: s, steps: [enumerated: null, delay: 10s, map: "[.index, .value]"], to: [stdout] } }
            """
        }
        try rig.run(config(before))
        for value in [1, 2, 3, 4, 5] as [JSON] { rig.emit(value) }
        rig.wait(1)
        try rig.run(config(after))
        #expect(rig.graph?.unsettledCount == unsettled)
        for value in [6, 7, 8] as [JSON] { rig.emit(value) }
        rig.wait(40)
        #expect(rig.end() == lines)
        #expect(rig.inFlight == [])
    }

    @Test func changedSourceLosesNothing() throws {
        let config = Self.config("p", "delay: 5s")
        try rig.run(config)
        rig.emit(1)
        rig.wait(1)
        try rig.run(config.replacing("interval: 1h", with: "interval: 2h"), drain: .seconds(1))
        rig.emit(2)
        #expect(rig.end(after: 20) == [#"7 "p 1""#, #"7 "p 2""#])
        #expect(rig.inFlight == ["2 notice p: 1 event in flight in the old steps; redelivering: s:0:0"])
    }

    @Test(
        arguments: [
            (9, ["0 1", #"5 "old 1""#], []),
            (1, ["0 1"], ["2 warning p: 1 event in flight in the old steps; lost: s:0:0"]),
        ]
            as [(Int, [String], [String])])
    func removedPipelineFinishesWithinDrain(drain: Int, expected: [String], recorded: [String]) throws {
        let other = "  q: { from: s, to: [stdout] }\n"
        try rig.run(Self.config("old", "delay: 5s", other))
        rig.emit(1)
        rig.wait(1)
        try rig.run(Self.source + other, drain: .seconds(drain))
        #expect(rig.end(after: 20) == expected)
        #expect(rig.inFlight == recorded)
    }

    /// The event is redelivered to the first pipeline that has changed: the pipeline in whose steps it is has other
    /// values in its state.
    @Test func eventInPipelineAfterChangedOneIsRedeliveredToChangedOne() throws {
        func config(_ name: String) -> String {
            Self.source + """
                  a: { from: s, steps: [map: '"\(name) \\(.)"'], to: [stdout] }
                  b: { from: a, steps: [delay: 5s], to: [stdout] }
                """
        }
        try rig.run(config("old"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(config("new"), drain: .seconds(1))
        // The sink of `a` has finished it.
        #expect(rig.end(after: 20) == [#"0 "old 1""#, #"7 "new 1""#])
        #expect(rig.inFlight == ["2 notice a: 1 event in flight in the old steps; redelivering: s:0:0"])
    }

    /// The changed pipeline follows one that continues, and whose steps have the event in their state.
    @Test func unchangedPipelineBeforeChangedOneCountsEventOnce() throws {
        func config(_ name: String) -> String {
            Self.source + """
                  a: { from: s, steps: [scan: { seed: 0, next: $state + 1 }] }
                  b: { from: a, steps: [delay: 5s, map: '"\(name) \\(.)"'], to: [stdout] }
                """
        }
        try rig.run(config("old"))
        rig.emit("x", "y")
        rig.wait(1)
        try rig.run(config("new"), drain: .seconds(1))
        rig.emit("z")
        #expect(rig.end(after: 20) == [#"7 "new 1""#, #"7 "new 2""#, #"7 "new 3""#])
    }

    /// One of two branches of an event that meet at one sink was in flight.
    @Test func branchInFlightIsNotMistakenForOther() throws {
        func config(_ name: String) -> String {
            Self.source + """
                  a: { from: s, steps: [map: '"a \\(.)"'] }
                  b: { from: s, steps: [delay: 5s, map: '"\(name) \\(.)"'] }
                  p: { merge: [a, b], to: [stdout] }
                """
        }
        try rig.run(config("old"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(config("new"), drain: .seconds(1))
        #expect(rig.end(after: 20) == [#"0 "a 1""#, #"7 "new 1""#])
    }

    /// A new pipeline before a changed one receives the events that the changed one had from the same source.
    @Test func insertedPipelineReceivesEventsInFlight() throws {
        try rig.run(Self.config("old", "delay: 5s"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(
            Self.source + """
                  m: { from: s, steps: [delay: 1s, map: . + 10] }
                  p: { from: m, steps: [map: '"new \\(.)"'], to: [stdout] }
                """, drain: .seconds(1))
        #expect(rig.end(after: 20) == [#"3 "new 11""#])
    }

    @Test func secondReloadWaitsForFirst() throws {
        try rig.run(Self.config("first", "delay: 5s"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(Self.config("second", "delay: 5s"))
        rig.emit(2)
        rig.wait(1)
        try rig.run(Self.config("third", "delay: 5s"))
        rig.emit(3)
        // The second reload begins at 5 and is replaced at once, with its events in flight.
        #expect(rig.end(after: 30) == [#"5 "first 1""#, #"10 "second 2""#, #"10 "second 3""#])
    }

    @Test func stopDuringDrainKeepsEventsInFlight() throws {
        try rig.run(Self.config("old", "delay: 5s"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(Self.config("new", "delay: 5s"))
        rig.emit(2)
        rig.graph?.close()
        #expect(rig.graph?.isAtRest == true)
        rig.graph?.freeze()
        let left = rig.graph?.snapshot.events.map(\.value)
        #expect(left == [1, 2])
        #expect(rig.end() == [])
    }

    @Test func failedEventsAreReceivedOnce() throws {
        func config(_ name: String) -> String {
            Self.source + """
                  p: { from: s, steps: [map: 'error("no")'], onError: { to: [q] }, to: [stdout] }
                  q: { from: onError, steps: [delay: 5s, map: '"\(name) \\(.value)"'], to: [stdout] }
                """
        }
        _ = try errors {
            try rig.run(config("old"))
            rig.emit(1)
            rig.wait(1)
            try rig.run(config("new"), drain: .seconds(2))
            rig.emit(2)
            #expect(rig.end(after: 20) == [#"8 "new 1""#, #"8 "new 2""#])
        }
    }

    /// The old steps receive no more events, and the new steps start when the old ones have finished.
    @Test(
        arguments: [
            ("delay: 5s, timeout: 3s", [#"3 "new 1""#, #"3 "new 2""#, #"3 "new 3""#]),
            ("delay: 5s", [#"5 "old 1""#, #"6 "old 2""#, #"6 "new 3""#]),
        ])
    func timeoutsDoNotFailDuringDrain(steps: String, expected: [String]) throws {
        let found = try errors {
            try rig.run(Self.config("old", steps).replacing("interval: 1h", with: "files: /tmp"))
            rig.emit(1)
            rig.wait(1)
            rig.emit(2)
            try rig.run(Self.config("new", "timeout: 4s").replacing("interval: 1h", with: "files: /tmp"))
            rig.emit(3)
            #expect(rig.end(after: 5) == expected)
        }
        #expect(found.isEmpty)
    }

    // MARK: - Deliveries

    @Test func redeliveredEventKeepsItsNumbers() throws {
        let unsettled = UnsettledEventTable()
        let entries = StepEntryTracker()
        var event: PipelineEvent? = unsettled.accept(SourceEvent("s", run: "r", sequence: 0, time: 0), 1)
        var inside: PipelineEvent? = event.map { entries.enter($0) }
        func begin(_ event: PipelineEvent?) -> Int? { event?.begun(at: "p/stdout")?.event.ordinal }
        #expect(begin(event) == 0)
        let done = inside?.begun(at: "p/stdout")?.event
        done?.finish(at: "p/stdout")
        #expect(done?.ordinal == 1 && begin(inside) == 2)
        var left = entries.all
        inside = nil
        #expect(entries.isEmpty && left.count == 1)
        inside = left.first.map { StepEntryTracker().enterAgain($0) }
        // The event with the number 1 is finished.
        #expect(begin(inside) == nil && begin(inside) == 2 && begin(inside) == 3)
        #expect(inside?.origin.isRedelivered == true && inside?.outsideSteps.origin.isRedelivered == false)
        left = []
        event = nil
        #expect(unsettled.count == 1)
        inside = nil
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
