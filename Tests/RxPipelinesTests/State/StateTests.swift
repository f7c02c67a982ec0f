import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// The state of steps survives the process.
@Suite(.balanced) struct StateTests {
    private static func config(_ steps: String, more: String = "") -> String {
        """
        sources: { s: { interval: 1h }, other: { interval: 1h } }
        pipelines:
          p: { from: s, steps: \(steps), to: [stdout] }
          q: { from: other, to: [journal: "{{.}}"] }
        \(more)
        """
    }

    private static let values: [JSON] = [1, 1, 2, 3, 3, 1, 5, 5, 8]

    static let steps = [
        "[scan: { seed: 0, next: $state + . }]",
        "[distinctUntilChanged: null]",
        "[distinctUntilChanged: { by: '. % 2' }]",
        "[pairwise: null]",
        "[enumerated: null]",
        "[skip: 3]",
        "[skipWhile: '. < 3']",
        "[take: 4]",
        "[take: 0]",
        "[takeWhile: '. < 5']",
        "[first]",
        "[elementAt: 4]",
        "[single: '. == 3']",
        "[single: '. == 8', enumerated: null]",
        "[take: 1, ifEmpty: 0]",
        "[take: 2, reduce: { seed: 0, next: $state + . }]",
        "[takeWhile: '. < 3', ifEmpty: 0, toArray: null]",
        "[startWith: 7]",
        "[startWith: 7, scan: { seed: 0, next: $state + . }]",
        "[groupBy: { key: '. % 2', steps: [scan: { seed: 0, next: $state + . }] }]",
        "[groupBy: { key: ., steps: [enumerated: null, skip: 1] }, map: .value]",
        "[withLatestFrom: { from: other, map: '[., $latest]' }]",
        "[buffer: { count: 2 }, scan: { seed: 0, next: '$state + length' }]",
        "[scan: { seed: 0, next: 'if . == 3 then error(\"no\") else $state + . end' }]",
        "[pairwise: null, map: '.[1] - .[0]', scan: { seed: 100, next: $state + . }, distinctUntilChanged: null]",
    ]

    /// A process ends after each number of events: the outputs are those of a single process.
    @Test(arguments: steps) func restartDoesNotChangeOutput(steps: String) throws {
        let plan = try Plan.read(Self.config(steps).utf8, file: "t.yaml")
        let pending = try Plan.read(Self.config(steps.dropLast() + ", delay: 10s]").utf8, file: "t.yaml")
        let whole = outputs(of: plan)
        for cut in Self.values.indices {
            let early = outputs(of: plan, cut: cut)
            #expect(early == whole, "after \(cut) events")
            // The events before the cut are redelivered, except one that no source has emitted.
            if steps.contains("startWith") { continue }
            let late = outputs(of: pending, cut: cut)
            #expect(late == whole, "after \(cut) events that were pending")
        }
    }

    private func outputs(of plan: Plan, cut: Int? = nil) -> [String] {
        let rig = StateRig()
        _ = errors {
            rig.start(plan)
            rig.emit(0, from: "other")
            for (number, value) in Self.values.enumerated() {
                if number == cut {
                    rig.kill()
                    rig.start(plan)
                }
                rig.emit(value)
            }
            rig.wait(100)
            rig.end()
        }
        return rig.lines.value
    }

    /// Steps that decide later do not repeat a decision.
    @Test(arguments: [
        ("[debounce: 2s, scan: { seed: 0, next: $state + . }, delay: 30s]", ["1", "3", "6", "10"]),
        ("[throttle: 2s, scan: { seed: 0, next: $state + . }, delay: 30s]", ["1", "3", "6", "10"]),
        ("[delay: 2s, scan: { seed: 0, next: $state + . }, delay: 30s]", ["1", "3", "6", "10"]),
        (
            "[buffer: { span: 2s }, filter: '. != []', scan: { seed: 0, next: '$state + add' }, delay: 30s]",
            ["1", "3", "6", "10"]
        ),
        ("[buffer: { count: 2 }, delay: 30s, scan: { seed: 0, next: '$state + add' }]", ["3", "10"]),
        ("[sample: other, scan: { seed: 0, next: $state + . }, delay: 30s]", ["1", "3", "6", "10"]),
    ])
    func decidedEventsAreNotDelayedAgain(steps: String, outputs: [String]) throws {
        for cut in 1...4 {
            let rig = StateRig()
            try rig.start(Self.config(steps))
            for value in 1...4 {
                rig.emit(.number(Double(value)))
                rig.wait(3)
                rig.emit(0, from: "other")
                if value == cut {
                    rig.kill()
                    try rig.start(Self.config(steps))
                }
            }
            rig.wait(100)
            #expect(rig.lines.value == outputs, "after \(cut) events")
            #expect(rig.graph?.unsettledCount == 0)
            rig.end()
        }
    }

    @Test func bufferedEventsAreRedelivered() throws {
        let rig = StateRig()
        let config = Self.config("[buffer: { count: 3 }, map: add]")
        try rig.start(config)
        for value in [1, 2, 3, 4] as [JSON] { rig.emit(value) }
        rig.kill()
        try rig.start(config)
        for value in [5, 6] as [JSON] { rig.emit(value) }
        #expect(rig.lines.value == ["6", "15"])
        rig.end()
    }

    /// The list that waits after the step is the one that a sink has finished; the event that a step after a `merge`
    /// made is identified by its path.
    @Test(arguments: [
        ("a: { from: s, steps: [buffer: { count: 2 }] }", ["[1,2]", "[3,4]"]),
        (
            """
            x: { from: s, steps: [map: . * 10, delay: 2s] }
              y: { from: s, steps: [delay: 1s] }
              a: { merge: [x, y], steps: [scan: { seed: 0, next: $value }] }
            """, ["1", "2", "10", "20", "3", "4", "30", "40"]
        ),
    ])
    func redeliveredListIsDoneOnce(pipelines: String, outputs: [String]) throws {
        let config = """
            sources: { s: { interval: 1h } }
            pipelines:
              \(pipelines)
              b: { from: a, to: [stdout] }
              c: { from: a, steps: [delay: 20s, map: '"late \\(.)"'], to: [stdout] }
            """
        let rig = StateRig()
        try rig.start(config)
        for value in [1, 2] as [JSON] { rig.emit(value) }
        rig.wait(5)
        rig.kill()
        try rig.start(config)
        for value in [3, 4] as [JSON] { rig.emit(value) }
        rig.wait(100)
        #expect(rig.lines.value.filter { !$0.contains("late") } == outputs)
        #expect(rig.lines.value.filter { $0.contains("late") }.sorted() == outputs.map { "\"late \($0)\"" }.sorted())
        #expect(rig.graph?.unsettledCount == 0)
        rig.end()
    }

    /// A sink that has failed on an event does not act on it again while its dead-letter pipeline still has it.
    @Test(arguments: [false, true]) func eventThatFailedInSinkReachesDeadLetterPipelineAgain(isCrash: Bool) throws {
        let rig = StateRig()
        let config = """
            sources: { s: { interval: 1h } }
            pipelines:
              p: { from: s, onError: { to: [failed] }, to: [journal: '{{if . == 2 then error("no") else . end}}'] }
              failed: { from: onError, steps: [map: '[.sink, .error, .value]', delay: 10s], to: [stdout] }
            """
        try rig.start(config)
        if isCrash {
            rig.save()
            for value in [1, 2, 3] as [JSON] { rig.emit(value) }
            rig.save()
            rig.wait(1)
            rig.crash()
        } else {
            for value in [1, 2, 3] as [JSON] { rig.emit(value) }
            rig.kill()
        }
        try rig.start(config)
        #expect(rig.graph?.unsettled.map(\.progress.failures.keys.count) == [1])
        rig.wait(20)
        #expect(rig.lines.value == [#"["journal","t.yaml:3:61: no",2]"#])
        #expect(rig.records.lines(.sink).count == 1)
        #expect(rig.graph?.unsettledCount == 0)
        rig.end()
    }

    /// A failed event that its dead-letter pipeline still has fails again, and reaches that pipeline again.
    @Test func failedEventReachesDeadLetterPipelineAgain() throws {
        let rig = StateRig()
        let config = """
            sources: { s: { interval: 1h } }
            pipelines:
              p:
                from: s
                steps: [scan: { seed: 0, next: 'if . == 2 then error("no") else $state + . end' }]
                onError: { to: [failed] }
                to: [stdout]
              failed: { from: onError, steps: [map: .value, delay: 10s], to: [stdout] }
            """
        _ = try errors {
            try rig.start(config)
            for value in [1, 2, 3] as [JSON] { rig.emit(value) }
            rig.kill()
            try rig.start(config)
            rig.emit(4)
            rig.wait(20)
            #expect(rig.lines.value == ["1", "4", "8", "2"])
            rig.end()
        }
    }

    @Test func combineLatestKeepsLatestValues() throws {
        for cut in 0...4 {
            let rig = StateRig()
            let config = """
                sources: { a: { interval: 1h }, b: { interval: 1h } }
                pipelines:
                  both: { combineLatest: [a, b], steps: [enumerated: null, map: '.value + [.index]', delay: 5s], to: [stdout] }
                """
            try rig.start(config)
            for (number, (source, value)) in [("a", 1), ("b", 2), ("a", 3), ("b", 4)].enumerated() {
                if number == cut {
                    rig.kill()
                    try rig.start(config)
                }
                rig.emit(.number(Double(value)), from: source)
            }
            if cut == 4 {
                rig.kill()
                try rig.start(config)
            }
            rig.wait(20)
            #expect(rig.lines.value == ["[1,2,0]", "[3,2,1]", "[3,4,2]"], "after \(cut) events")
            rig.end()
        }
    }

    /// The state of a pipeline belongs to its text, and to the texts of all nodes from which it takes events.
    @Test(arguments: [
        ("p: { from: s, steps: [scan: { seed: 0, next: $state + 1 }] }", true),
        ("# A comment.\n  p:   { from: s, steps: [scan: { seed: 0, next: $state + 1 }] }", true),
        ("p: { from: s, steps: [scan: { seed: 0, next: $state + 1 }], to: [stdout] }", true),
        ("p: { from: s, steps: [scan: { seed: 0, next: $state + 2 }] }", false),
        ("p: { from: s, steps: [scan: { seed: 0, next: $state + 1 }], state: volatile }", false),
    ])
    func changedTextResetsState(pipeline: String, isKept: Bool) throws {
        func config(_ pipeline: String) -> String {
            """
            sources: { s: { interval: 1h } }
            pipelines:
              \(pipeline)
              q: { from: p, steps: [scan: { seed: 100, next: $state + 1 }], to: [stdout] }
            """
        }
        let rig = StateRig()
        try rig.start(config("p: { from: s, steps: [scan: { seed: 0, next: $state + 1 }] }"))
        for _ in 0..<3 { rig.emit(0) }
        rig.kill()
        try rig.start(config(pipeline))
        rig.lines.update { $0 = [] }
        rig.emit(0)
        #expect(rig.lines.value.filter { $0.count > 2 } == [isKept ? "104" : "102"])
        rig.end()
    }

    @Test func volatileStateIsNotSaved() throws {
        let rig = StateRig()
        let config = """
            sources: { s: { interval: 1h } }
            pipelines:
              p: { from: s, state: volatile, steps: [scan: { seed: 0, next: $state + 1 }], to: [stdout] }
              q: { from: p, steps: [enumerated: null, map: '[.index, .value]'], to: [stdout] }
            """
        try rig.start(config)
        rig.emit(0)
        rig.emit(0)
        rig.kill()
        try rig.start(config)
        rig.emit(0)
        // It begins with the source's last event as a replay.
        #expect(rig.lines.value == ["1", "[0,1]", "2", "[1,2]", "2", "[2,2]"])
        rig.end()
    }

    /// A pipeline that the next configuration adds receives the last event as a replay.
    @Test func newPipelineReceivesReplayOfLastEvent() throws {
        let rig = StateRig()
        try rig.start(Self.config("[]"))
        rig.emit(3)
        rig.kill()
        rig.lines.update { $0 = [] }
        try rig.start(
            Self.config(
                "[]", more: "  r: { from: p, steps: [map: '[., $event.replayed]'], to: [stdout: { onReplay: act }] }")
        )
        #expect(rig.lines.value == ["[3,true]"])
        rig.end()
    }

    @Test func stateOfSilentGroupIsKept() throws {
        let rig = StateRig()
        let config = Self.config("[groupBy: { key: ., steps: [scan: { seed: 0, next: $state + 1 }] }]")
        try rig.start(config)
        for value in [1, 2, 2] as [JSON] { rig.emit(value) }
        for _ in 0..<3 {
            rig.kill()
            try rig.start(config)
            rig.emit(1)
        }
        rig.emit(2)
        #expect(rig.lines.value == ["1", "1", "2", "2", "3", "4", "3"])
        rig.end()
    }

    /// The progress of sinks and new events since a snapshot are added to it; its results remain.
    @Test func snapshotIncludesLaterProgress() {
        func event(_ number: UInt64, _ results: [StepResults.Result], done: Set<Int>) -> UnsettledEvent {
            UnsettledEvent(
                SourceEvent("s", run: "r", sequence: number, time: 0), .null, SinkProgress(done: ["p/x": done]),
                StepResults(results))
        }
        let result = StepResults.Result(step: "p", arrival: 0, output: 1)
        var snapshot = Snapshot(events: [event(0, [], done: []), event(1, [result], done: [])])
        snapshot.takeProgress(of: [
            event(0, [result], done: [0]), event(1, [result, result], done: []), event(2, [result], done: []),
        ])
        #expect(snapshot.events.map(\.results.made) == [[], [result], []])
        #expect(snapshot.events.map(\.progress.done) == [["p/x": [0]], [:], [:]])
    }
}
