import Foundation
import TestSupport
import Testing

/// Directories that are replaced between a daemon's kill and the start of the next one.
struct ReplacedDirectoryTests {
    /// A file that was created within the last moments is in no snapshot, and its directory is another one by then.
    @Test func removalsInReplacedDirectoryAreEmittedAfterKill() async throws {
        let state = try StateFolder()
        defer { state.remove() }
        let tree = "\(state.path)/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: false)
        let config = try ConfigFile(
            """
            sources: { tree: { files: { paths: \(tree), recursive: true, events: [created, removed] } } }
            pipelines: { p: { from: tree, to: [file: { path: \(state.path)/seen, format: "{{.kind}} {{.path}}" }] } }
            """)
        var expected: Set<String> = []
        for round in 0..<3 {
            let child = try state.child(config)
            try await child.said("ready after")
            let (directory, file) = ("\(tree)/d\(round)", "\(tree)/d\(round)/f")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: file))
            try await eventually("it is emitted: \(state.lines("seen"))") {
                state.lines("seen").contains("created \(file)")
            }
            child.send(SIGKILL)
            #expect(try await child.exitCode() == -SIGKILL)
            try FileManager.default.removeItem(atPath: directory)
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            expected.insert("removed \(file)")
        }
        let last = try state.child(config)
        try await last.said("ready after")
        try await eventually("the removals are emitted: \(state.lines("seen"))", within: .seconds(20)) {
            expected.isSubset(of: state.lines("seen"))
        }
        last.send(SIGTERM)
        #expect(try await last.exitCode() == 0)
    }
}
