import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// The progress of sinks is stored under names that the sinks keep.
@Suite(.balanced) struct SinkIdentityTests {
    private let rig = StateRig()

    /// A pipeline with these sinks, and another that keeps its events unsettled.
    private func config(_ sinks: String...) -> String {
        """
        sources: { s: { interval: 1h } }
        pipelines:
          p: { from: s, to: [\(sinks.map { "journal: '\($0) {{.}}'" }.joined(separator: ", "))] }
          q: { from: s, steps: [delay: 100s], to: [stdout] }
        """
    }

    private var messages: [String] { rig.records.all(.event).map(\.message) }

    /// Each sink receives a redelivered event once, whatever its position after the restart.
    @Test func editedSinksGetRedeliveredEventsOnce() throws {
        try rig.start(config("b"))
        rig.emit(1)
        #expect(messages == ["b 1"])
        for (sinks, more) in [
            (config("a", "b"), ["a 1"]), (config("b", "a"), []), (config("a"), []), (config("a", "c"), ["c 1"]),
            (config("b", "c", "a"), []), (config("b", "c", "d"), []), (config("d", "e", "c", "b"), ["e 1"]),
        ] {
            let before = messages.count
            rig.kill()
            try rig.start(sinks)
            #expect(Array(messages.dropFirst(before)) == more, "\(sinks)")
        }
        #expect(rig.graph?.sinkKeys.sorted() == ["p/journal", "p/journal-2", "p/journal-3", "p/journal-4", "q/stdout"])
        rig.end()
    }

    /// A snapshot of a version that did not store the names of sinks.
    @Test func sinksWithoutStoredNamesAreNumberedInOrder() throws {
        try rig.start(config("a", "b"))
        #expect(rig.graph?.snapshot.sinks["p"]?.sinks.map(\.name) == ["journal", "journal-2"])
        #expect(rig.graph?.sinkKeys == ["p/journal", "p/journal-2", "q/stdout"])
        rig.end()
    }

    @Test func unusedSinkNameIsForgotten() throws {
        func sinkNames(_ sinks: Int, removed: [Int] = []) -> SinkNames {
            func entry(_ number: Int) -> SinkNames.Entry {
                .init(kind: "stdout", number: number, content: "\(number)")
            }
            return SinkNames(sinks: (0..<sinks).map { entry($0 + 1) }, removed: removed.map(entry))
        }
        let progress = SinkProgress(done: ["p/stdout-3": [0]], failures: ["noted/stdout": [0: "no"]])
        let event = UnsettledEvent(SourceEvent("s", run: "r", sequence: 1, time: 1), 1, progress)
        let snapshot = Snapshot(
            events: [event], finished: ["s": ["s:@1": SinkProgress(done: ["finished/stdout": [0]])]],
            sinks: [
                "p": sinkNames(1, removed: [2, 3, 4]), "noted": sinkNames(1), "finished": sinkNames(1, removed: [2]),
                "spooled": sinkNames(2), "gone": sinkNames(2, removed: [3]),
            ])
        let plan = try Plan.read(
            "sources: { s: { interval: 1h } }\npipelines: { p: { from: s, to: [stdout] } }".utf8, file: "t.yaml")
        func names(_ spools: Set<String>?) -> [String] {
            plan.sinkNames(resuming: snapshot, spools: spools).flatMap { name, sinkNames in
                sinkNames.all.map { "\(name)/\($0)" }
            }.sorted()
        }
        #expect(
            names(["p/stdout-4", "spooled/stdout-2"]) == [
                "finished/stdout", "noted/stdout", "p/stdout", "p/stdout-3", "p/stdout-4", "spooled/stdout",
                "spooled/stdout-2",
            ])
        #expect(names(nil).count == 12)
    }
}
