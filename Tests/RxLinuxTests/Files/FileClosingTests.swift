import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// When files are closed, their size then, and the existing files at the start.
@Suite(.balanced, .serialized) struct FileClosingTests {
    private let folder = Folder()

    @Test func closedFollowsWrites() async throws {
        folder.write("old")
        let watching = try await Watching(folder) { $0.kinds = [.created, .modified, .closed] }
        folder.write("a", "12345")
        folder.append("old", "more")
        let lines = ["created a", "modified a", "closed a", "modified old", "closed old"]
        try await eventually("\(watching.lines)") { watching.lines == lines }
        close(open(folder("old"), O_RDONLY | O_CLOEXEC))
        close(open(folder("old"), O_WRONLY | O_CLOEXEC))
        try await eventually("\(watching.lines)") { watching.lines == lines + ["closed old"] }
        let last = try #require(watching.all.first { $0.kind == .closed })
        #expect(last.size == 5 && last.modified.map { $0 > 1_600_000_000_000_000_000 } == true)
    }

    @Test func closedIsEmittedAloneIfRequested() async throws {
        let watching = try await Watching(folder, ["", "single"]) { $0.kinds = [.closed] }
        let file = try #require(fopen(folder("a"), "w"))
        fputs("one", file)
        fflush(file)
        folder.write("b")
        fputs("two", file)
        fclose(file)
        try await eventually("\(watching.lines)") { watching.lines == ["closed b", "closed a"] }
        #expect(watching.all.last?.size == 6)
    }

    @Test func closedIsEmittedForRootFile() async throws {
        folder.write("file")
        let watching = try await Watching(folder, ["file"]) { $0.kinds = [.modified, .closed] }
        folder.append("file", "more")
        try await eventually("\(watching.lines)") { watching.lines == ["modified file", "closed file"] }
    }

    /// The close of a file that is gone before it is looked at says nothing about the next file at its path.
    @Test func closeOfRemovedRootFileIsForgotten() async throws {
        folder.write("file")
        let watching = try await Watching(folder, ["file"]) { $0.kinds = [.created, .removed, .closed] }
        watching.watcher.queueForTests.sync {
            folder.append("file", "more")
            folder.remove("file")
        }
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("removed file") } }
        let file = try #require(fopen(folder("file"), "w"))
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("created file") } }
        watching.watcher.queueForTests.sync {}
        #expect(!watching.lines.contains("closed file"))
        fclose(file)
        try await eventually("\(watching.lines)") { watching.lines.contains("closed file") }
    }

    /// It was closed before the directory was watched, which nothing reports.
    @Test func fileFoundByWalkCountsAsClosed() async throws {
        let watching = try await Watching(folder) { $0.kinds = [.closed] }
        watching.watcher.queueForTests.sync {
            folder.makeDirectory("d/e")
            folder.write("d/e/f")
        }
        try await eventually("\(watching.lines)") { watching.lines == ["synthetic closed d/e/f"] }
    }

    @Test func closedIsEmittedLastAfterSettling() async throws {
        let watching = try await Watching(folder) {
            $0.kinds = [.created, .moved, .modified, .closed]
            $0.settle = .milliseconds(20)
        }
        watching.watcher.queueForTests.sync {
            folder.write("part")
            folder.rename("part", "whole")
        }
        try await eventually("\(watching.lines)") { watching.lines == ["created whole", "closed whole"] }
    }

    @Test func sizeAndTimeOfFileAreEmitted() async throws {
        let watching = try await Watching(folder) { $0.kinds.insert(.attributes) }
        folder.makeDirectory("d")
        folder.write("f", "four")
        folder.link("l", to: "f")
        folder.rename("f", "g")
        folder.remove("d")
        try await eventually("\(watching.lines)") { watching.lines.contains("removed d/") }
        #expect(watching.all.filter(\.isDirectory).allSatisfy { $0.size == nil })
        #expect(watching.all.last { $0.kind == .moved }?.size == 4)
        #expect(watching.all.last { $0.kind == .removed }?.modified == nil)
    }

    // MARK: existing files at the start

    @Test func existingFilesAreEmittedOnce() async throws {
        folder.makeDirectory("tree/d")
        folder.write("tree/d/f", "three")
        folder.write("tree/g.tmp")
        let request: (inout FileRequest) -> Void = {
            $0.existing = true
            $0.exclude = [Glob("*.tmp")]
        }
        let saved = BytePath(folder("saved"))
        let first = try await Watching(folder, ["tree"], adjust: request)
        #expect(first.lines == ["synthetic created tree/d/", "synthetic created tree/d/f"])
        #expect(!first.all.contains { !$0.isExisting })
        folder.write("tree/later")
        try await eventually("\(first.lines)") { first.lines.last == "modified tree/later" }
        #expect(first.all.last?.isExisting == false)
        try first.watcher.save(to: saved)
        first.watcher.simulateCrash()
        folder.write("tree/away")
        let next = FileWatcher(resuming: FileHandover(savedAt: saved))
        let second = try await Watching(folder, ["tree"], watcher: next, adjust: request)
        next.finishResuming()
        try await eventually("\(second.lines)") { second.lines == ["synthetic created tree/away"] }
        #expect(second.all.first?.isExisting == false)
    }

    @Test func rootMadeLaterIsNotExisting() async throws {
        let watching = try await Watching(folder, ["file", "root"]) { $0.existing = true }
        #expect(watching.lines.isEmpty)
        folder.write("file")
        folder.makeDirectory("root")
        try await eventually("\(watching.lines)") { watching.lines.count >= 2 }
        #expect(watching.all.allSatisfy { !$0.isExisting })
    }

    @Test func rootFileIsExisting() async throws {
        folder.write("file")
        let watching = try await Watching(folder, ["file"]) { $0.existing = true }
        #expect(watching.lines == ["synthetic created file"] && watching.all.first?.isExisting == true)
    }

    @Test func existingFilesSettle() async throws {
        folder.write("a")
        let watching = try await Watching(folder) {
            $0.existing = true
            $0.settle = .milliseconds(10)
        }
        try await eventually("\(watching.lines)") { watching.lines == ["synthetic created a"] }
        #expect(watching.all.first?.isExisting == true && watching.all.first?.size == 1)
    }
}
