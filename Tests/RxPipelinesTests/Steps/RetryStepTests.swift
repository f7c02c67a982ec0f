import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// Events in flight in steps that fail.
@Suite(.balanced) struct RetryStepTests {
    private let rig = ReloadRig()

    private func config(_ steps: String, source: String = "interval: 1h") -> String {
        """
        sources: { s: { \(source) } }
        pipelines:
          p: { from: s, steps: [\(steps)], onError: { to: [q] }, to: [stdout] }
          q: { from: onError, steps: [map: '"lost \\(.value)"'], to: [stdout] }
        """
    }

    @Test func eventsInFlightAreProcessedByNextAttempt() throws {
        let found = try errors {
            try rig.run(config("delay: 5s, map: 'if . == 1 then error(\"no\") else . end', retry: { delay: 1s }"))
            rig.emit(1)
            rig.wait(1)
            rig.emit(2)
            rig.wait(4)
            // While no attempt runs.
            rig.emit(3)
            #expect(rig.end(after: 20) == [#"5 "lost 1""#, "11 2", "11 3"])
        }
        #expect(found.count == 1)
    }

    @Test func eventsAfterFailureInWindowAreProcessed() throws {
        let found = try errors {
            try rig.run(
                config(
                    "window: { count: 3, steps: [map: 'if . == 2 then error(\"no\") else . end'] }, retry: { delay: 1s }"
                ))
            rig.emit(1, 2, 3, 4, 5)
            #expect(rig.end(after: 20) == ["0 1", #"0 "lost 2""#, "1 3", "1 4", "1 5"])
        }
        #expect(found.count == 1)
    }

    /// The state of the steps is new, too.
    @Test func retriedStepsCountEventAgain() throws {
        _ = try errors {
            try rig.run(
                config(
                    "scan: { seed: 0, next: $state + 1 }, delay: 5s, map: 'if $event.sequence == 0 then error(\"no\") else . end', retry: { delay: 1s }"
                ))
            rig.emit("a", "b", "c")
            let results = { self.rig.graph?.snapshot.events.map { $0.results.made.compactMap(\.output) } }
            #expect(results() == [[1], [2], [3]])
            rig.wait(6)
            #expect(results() == [[1], [2]])
            #expect(rig.end(after: 20) == [#"5 "lost 1""#, "11 1", "11 2"])
        }
    }

    /// Events in later steps are not in flight in the steps that restart.
    @Test func innerRetryKeepsLaterSteps() throws {
        _ = try errors {
            try rig.run(
                config(
                    "map: 'if . == 2 then error(\"no\") else . end', retry: { delay: 1s }, delay: 5s, retry: { delay: 1s }"
                ))
            rig.emit(1, 2, 3)
            #expect(rig.end(after: 20) == [#"0 "lost 2""#, "5 1", "6 3"])
        }
    }
}
