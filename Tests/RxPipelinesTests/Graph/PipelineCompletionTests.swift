import TestSupport
import Testing

@testable import RxPipelines

/// The record of a pipeline that has completed: what ended it, and what starts it again.
@Suite(.balanced) struct PipelineCompletionTests {
    private static func config(_ p: String, _ q: String = "from: p, to: [stdout]") -> String {
        """
        sources: { s: { interval: 1h }, t: { interval: 2h } }
        pipelines:
          p: { from: s, \(p) }
          q: { \(q) }
        """
    }

    /// Two events, and then the end of `s`.
    @Test(arguments: [
        ("steps: [map: ., take: 2], to: [stdout]", "the 'take' at t.yaml:3:33 ended", "'from' or 'steps' of p"),
        ("steps: [takeWhile: '. < 2']", "the 'takeWhile' at t.yaml:3:25 ended", "'from' or 'steps' of p"),
        ("steps: [take: 5, first]", "the 'first' at t.yaml:3:34 ended", "'from' or 'steps' of p"),
        ("steps: [elementAt: 1, take: 9]", "the 'elementAt' at t.yaml:3:25 ended", "'from' or 'steps' of p"),
        (
            "steps: [map: 'error(\"no\")', catch: { return: 0 }]", "the 'catch' at t.yaml:3:45 ended",
            "'from' or 'steps' of p"
        ),
        ("steps: [map: 'error(\"no\")'], onError: stop", "a failure stopped", "'from' or 'steps' of p"),
        ("steps: [take: 9]", "no more events come from", "s"),
    ])
    func recordNamesCause(p: String, cause: String, change: String) throws {
        let rig = ReloadRig()
        _ = try errors {
            try rig.run(Self.config(p))
            rig.emit(1, 2)
            rig.complete()
        }
        let ended = change == "s" ? "s" : "it"
        #expect(
            rig.completions == [
                "0 notice p has completed: \(cause) \(ended); a reload that changes \(change) starts it again",
                "0 notice q has completed: \(cause) \(change == "s" ? "s" : "p"); a reload that changes \(change) "
                    + "starts it again",
            ])
        _ = rig.end()
    }

    /// A pipeline without a sink that ends is recorded, even if its subscribers do not end.
    @Test func recordNamesPipelineWithoutSink() throws {
        let rig = ReloadRig()
        try rig.run(Self.config("steps: [take: 1]", "merge: [p, t], to: [stdout]"))
        rig.emit(1)
        #expect(
            rig.completions == [
                "0 notice p has completed: the 'take' at t.yaml:3:25 ended it; a reload that changes 'from' or 'steps' of "
                    + "p starts it again"
            ])
        _ = rig.end()
    }

    /// What the record advises: of all reloads, only one that changes the pipeline's own text starts it again.
    @Test(arguments: [
        ("steps: [take: 1]", "from: p, to: [stdout]", ["0 1"]),
        ("steps: [take: 1]", "from: p, to: [stdout, journal: '{{.}}']", ["0 1"]),
        ("steps: [take: 1], to: [journal: '{{.}}']", "from: p, to: [stdout]", ["0 1"]),
        ("steps: [take: 2]", "from: p, to: [stdout]", ["0 1", "1 2", "1 3"]),
        ("steps: [map: ., take: 1]", "from: p, to: [stdout]", ["0 1", "1 2"]),
    ])
    func changeOfPipelineStartsItAgain(p: String, q: String, expected: [String]) throws {
        let rig = ReloadRig()
        try rig.run(Self.config("steps: [take: 1]"))
        rig.emit(1)
        rig.wait(1)
        try rig.run(Self.config(p, q))
        rig.emit(2, 3)
        #expect(rig.end() == expected)
    }

    /// `onError: stop`.
    @Test(arguments: [
        ("steps: [map: '1 / .']", []), ("steps: [map: '1 / . | .']", ["1 1"]),
    ])
    func changeOfStoppedPipelineStartsItAgain(p: String, expected: [String]) throws {
        let rig = ReloadRig()
        _ = try errors {
            try rig.run(Self.config("steps: [map: '1 / .'], onError: stop"))
            rig.emit(0)
        }
        rig.wait(1)
        try rig.run(Self.config("\(p), onError: stop"))
        rig.emit(1)
        #expect(rig.end() == expected)
    }
}
