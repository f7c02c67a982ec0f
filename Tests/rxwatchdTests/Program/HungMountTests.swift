import Foundation
import TestSupport
import Testing

/// The daemon with a mount whose server does not answer.
@Suite(SilentMount.condition) struct HungMountTests {
    @Test func hungMountDelaysNeitherStartNorStop() async throws {
        let state = try StateFolder()
        defer { state.remove() }
        for name in ["in", "hung"] {
            try FileManager.default.createDirectory(atPath: "\(state.path)/\(name)", withIntermediateDirectories: false)
        }
        let mount = try SilentMount("\(state.path)/hung")
        defer { mount.end() }
        let config = try ConfigFile(
            """
            sources:
              hung: { files: { paths: \(state.path)/hung/tree, recursive: true } }
              local: { files: { paths: \(state.path)/in, events: created } }
            pipelines: { p: { merge: [hung, local], steps: [map: .path], to: [stdout] } }
            """)
        let child = try state.child(config)
        try await child.said("ready after")
        #expect(
            child.errorLines.contains {
                $0.contains("\(state.path)/hung/tree is on a file system that does not answer")
            })
        try Data().write(to: URL(fileURLWithPath: "\(state.path)/in/a"))
        try await eventually("it is emitted: \(child.outputLines)") {
            child.outputLines.contains { $0.contains("in/a") }
        }
        let start = ContinuousClock.now
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    /// The work that a mount blocks, and that the daemon does not wait for when it stops.
    enum Blocked: CaseIterable {
        /// Mounted after the start.
        case lateFiles
        /// An automount point whose file system is never mounted.
        case automount
        case journal
        case sink
        /// The file with the credential of an HTTP source.
        case credential

        /// A source and the steps and sinks of a pipeline, with `MOUNT` for the mount.
        var config: (source: String, sink: String) {
            switch self {
            case .lateFiles: ("files: { paths: MOUNT, recursive: true }", "stdout")
            case .automount: ("files: { paths: MOUNT/tree, recursive: true }", "stdout")
            case .journal: ("journal: { directory: MOUNT }", "stdout")
            case .sink: ("interval: 100ms", "file: MOUNT/out, stdout")
            case .credential:
                (
                    "http: { url: 'http://127.0.0.1:1/', every: 1s, timeout: 300ms, bearerFile: MOUNT/token }",
                    "stdout"
                )
            }
        }

        /// The end of the last record names what is not waited for; `nil` if no object of the engine waits for it.
        var isNamedAs: String? {
            switch self {
            case .lateFiles, .automount: "watching files on "
            case .journal: "reading the journal in "
            case .sink: "appending to "
            case .credential: nil
            }
        }
    }

    @Test(arguments: Blocked.allCases) func blockedWorkDelaysNothingElse(blocked: Blocked) async throws {
        let state = try StateFolder()
        defer { state.remove() }
        let point = "\(state.path)/hung"
        for name in ["in", "hung"] {
            try FileManager.default.createDirectory(atPath: "\(state.path)/\(name)", withIntermediateDirectories: false)
        }
        let automount = blocked == .automount ? try SilentAutomount(point) : nil
        var mount = [.journal, .sink, .credential].contains(blocked) ? try SilentMount(point) : nil
        defer {
            automount?.end()
            mount?.end()
        }
        let (source, sink) = blocked.config
        let config = try ConfigFile(
            """
            daemon: { drain: 500ms }
            sources:
              hung: { \(source.replacingOccurrences(of: "MOUNT", with: point)) }
              local: { files: { paths: \(state.path)/in, events: created } }
            pipelines:
              p: { from: hung, to: [\(sink.replacingOccurrences(of: "MOUNT", with: point))] }
              q: { from: local, steps: [map: .path], to: [stdout] }
            """)
        let child = try state.child(config)
        try await child.said("ready after")
        if blocked == .lateFiles { mount = try SilentMount(point) }
        switch blocked {
        case .sink: try await eventually("a tick is printed") { child.outputLines.contains { $0.contains("tick") } }
        case .credential:
            try await eventually("polls fail: \(child.outputLines)") {
                child.outputLines.count { $0.contains("the file system of \(point)/token does not answer") } >= 2
            }
        default: try await child.said("is on a file system that does not answer")
        }
        try Data().write(to: URL(fileURLWithPath: "\(state.path)/in/a"))
        try await eventually("it is emitted: \(child.outputLines)") {
            child.outputLines.contains { $0.contains("in/a") }
        }
        let start = ContinuousClock.now
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(ContinuousClock.now - start < .seconds(9))
        let last = child.errorLines.last ?? ""
        #expect(!last.contains("leaked"), "\(last)")
        guard let name = blocked.isNamedAs else {
            return #expect(last.contains("stopped on SIGTERM: 0 live objects"))
        }
        #expect(last.contains("without waiting any longer for: \(name)"), "\(child.errorLines)")
        #expect(last.contains(point), "\(last)")
    }
}
