import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Tests of which changes are emitted.
@Suite(.balanced) struct FileFilterTests {
    /// The kernel reports them of the directory itself and of its parent.
    @Test func attributesAreEmittedOnce() async throws {
        let folder = Folder()
        folder.makeDirectory("d")
        folder.write("d/f")
        let watching = try await Watching(folder) { $0.kinds = [.attributes, .created] }
        chmod(folder("d/f"), 0o600)
        chmod(folder("d"), 0o755)
        chmod(folder.path, 0o755)
        utimes(folder("d/f"), nil)
        try await watching.receives(["attributes d/f", "attributes d/", "attributes ./", "attributes d/f"])
    }

    @Test func attributesOfRootFile() async throws {
        let folder = Folder()
        folder.write("file")
        let watching = try await Watching(folder, ["file"]) { $0.kinds.insert(.attributes) }
        chmod(folder("file"), 0o600)
        try await eventually("\(watching.lines)") { watching.lines == ["attributes file"] }
    }

    /// A directory that has left the tree has no path: nothing more is emitted of it.
    @Test func attributesOfMovedDirectoryAreNotEmitted() async throws {
        let folder = Folder()
        folder.makeDirectory("in/d/e")
        let watching = try await Watching(folder, ["in"]) { $0.kinds.insert(.attributes) }
        watching.watcher.queueForTests.sync {
            folder.rename("in/d", "out")
            chmod(folder("out"), 0o755)
            chmod(folder("out/e"), 0o755)
        }
        try await eventually("\(watching.lines)") { watching.lines.contains("removed in/d/") }
        #expect(Set(watching.lines) == ["removed in/d/e/", "removed in/d/"])
    }

    /// Excluded links lead to included files: Kubernetes swaps such a link.
    @Test func excludedLinkThatIsSwapped() async throws {
        let folder = Folder()
        for version in ["1", "2"] {
            folder.makeDirectory(".." + version)
            folder.write("..\(version)/config", version)
            folder.write("..\(version)/other", "the same")
        }
        folder.link("..data", to: "..1")
        folder.link("config", to: "..data/config")
        folder.link("gone", to: "..data/gone")
        let watching = try await Watching(folder) { $0.exclude = [Glob("..*")] }
        folder.link("..data_tmp", to: "..2")
        folder.rename("..data_tmp", "..data")
        try await watching.receives(["synthetic modified config"])
    }

    /// The filter applies to the state after everything has settled.
    @Test func filterAppliesAfterSettling() async throws {
        let folder = Folder()
        folder.write("known")
        folder.write("moving")
        let watching = try await Watching(folder) {
            $0.kinds = [.created]
            $0.settle = .milliseconds(30)
        }
        watching.watcher.queueForTests.sync {
            folder.write("passing")
            folder.remove("passing")
            folder.write("part")
            folder.rename("part", "whole")
            folder.write("next")
            folder.rename("next", "known")
            folder.rename("moving", "moved")
            folder.write("last")
        }
        try await eventually("\(watching.lines)") { watching.lines.contains("created last") }
        #expect(watching.lines == ["created whole", "created last"])
    }
}
