import ChildProcesses
import Foundation
import TestSupport
import Testing

@testable import rxwatchctl

/// Commands that show what a real daemon does.
@Suite(.balanced) struct RunningDaemonTests {
    private static let config = """
        sources:
          tick: { interval: 50ms }
          once: { interval: { every: 1h, delay: 0s } }
        pipelines:
          even: { from: tick, steps: [map: .tick % 2], to: [journal: "{{.}}"] }
          bad: { merge: [once, even], steps: [map: 'error("no \\"route\\"")'], to: [journal: never] }

        """

    @Test func topShowsNodes() async throws {
        let daemon = try await RunningDaemon(Self.config)
        let top = try TerminalProcess(Run.program, ["top", "--control", daemon.control], columns: 120)
        for text in ["tick", "even", "generation 1", "armed"] { try await top.shows(text) }
        // The node that has failed is marked.
        try await eventually("bad is marked: \(top.text.debugDescription)") { top.text.contains(#/! +bad/#) }
        // The filter leaves one node, and Enter shows its status.
        top.press("/once\rj\r")
        try await top.shows("source once: armed")
        top.press("q")
        try await top.endsAsItBegan()
        daemon.stop()
    }

    /// The terminal's width is that of the lines.
    @Test(arguments: ["status", "resources"], [60, 80, 130] as [UInt16]) func linesFitTerminal(
        command: String, columns: UInt16
    ) async throws {
        let daemon = try await RunningDaemon(Self.config)
        let run = try TerminalProcess(
            Run.program, [command, "--control", daemon.control], environment: ["NO_COLOR=1"], columns: columns)
        try await run.ends()
        // Without the line that says that the command waits.
        let lines = run.text.components(separatedBy: "\u{1B}[K").last?.components(separatedBy: "\r\n") ?? []
        #expect(lines.count > 4 && lines.allSatisfy { $0.count <= Int(columns) }, "\(run.text)")
        daemon.stop()
    }

    @Test func marblesShowEventsAndFailures() async throws {
        let daemon = try await RunningDaemon(Self.config)
        let marbles = try TerminalProcess(
            Run.program, ["marbles", "--frame", "50ms", "--control", daemon.control, "even", "bad"])
        try await marbles.shows("# = bad failed: ")
        try await eventually("the events of even: \(marbles.text.debugDescription)") {
            marbles.text.contains(#/even +[-(^]*[01]/#)
        }
        marbles.press("q")
        try await marbles.ends()
        let left = marbles.text.components(separatedBy: "\u{1B}[?1049l").last ?? ""
        #expect(left.contains(#/even +[-(^]*[01]/#) && left.contains("# = bad failed: "), "\(left)")
        daemon.stop()
    }

    /// Each line of the text is a node or an edge between two of them, and Graphviz, if it is installed, can draw it.
    @Test func graphIsDrawnByGraphviz() async throws {
        let daemon = try await RunningDaemon(Self.config)
        let dot = try Run(["graph", "--dot", "--control", daemon.control])
        #expect(dot.code == 0 && dot.errors == "")
        let lines = dot.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["digraph rxwatchd {", "  rankdir=LR;"] && lines.last == "}")
        let nodes = lines.compactMap {
            $0.wholeMatch(of: #/  "([^"]+)" \[shape=(ellipse|box|house), label="[^"]+"\];/#).map { String($0.output.1) }
        }
        #expect(nodes == ["tick", "once", "even", "even/journal", "bad", "bad/journal"])
        let edges = lines.compactMap {
            $0.wholeMatch(of: #/  "([^"]+)" -> "([^"]+)";/#).map { "\($0.output.1) \($0.output.2)" }
        }
        #expect(edges == ["tick even", "even even/journal", "once bad", "even bad", "bad bad/journal"])
        #expect(lines.count == 3 + nodes.count + edges.count)
        if access("/usr/bin/dot", X_OK) == 0 {
            let svg = try Run(["graph", "--svg", "--control", daemon.control])
            #expect(svg.code == 0 && svg.errors == "" && svg.output.hasPrefix("<?xml "))
            #expect(svg.output.matches(of: #/class="node"/#).count == nodes.count)
            #expect(svg.output.matches(of: #/class="edge"/#).count == edges.count)
        }
        daemon.stop()
    }

    /// The daemon's own records on a terminal.
    @Test(arguments: [([], true), (["NO_COLOR=1"], false), (["NO_COLOR="], true), (["TERM=dumb"], false)])
    func recordsOnTerminalHaveColors(environment: [String], isColored: Bool) async throws {
        let folder = TemporaryDirectory()
        folder.write("rxwatchd.yaml", Self.config)
        let daemon = try TerminalProcess(
            RunningDaemon.program, ["--config", folder("rxwatchd.yaml")],
            environment: environment + ["RUNTIME_DIRECTORY=\(folder.path)"], columns: 200)
        try await daemon.shows("ready after")
        try await daemon.shows("bad failed")
        kill(daemon.process.id, SIGTERM)
        try await daemon.ends()
        let line = try #require(daemon.text.split(separator: "\r\n").first { $0.contains("bad failed") })
        #expect(line.hasPrefix("\u{1B}[1;31m") == isColored)
        #expect(daemon.text.contains("\u{1B}") == isColored)
    }
}
