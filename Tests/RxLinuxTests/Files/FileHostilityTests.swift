import CLinux
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Hostile paths and snapshots.
@Suite(.balanced, .serialized) struct FileHostilityTests {
    /// A pipe without a reader would block a process that opens it to write.
    @Test(arguments: ["saved", "saved.new"]) func pipeInPlaceOfSnapshotBlocksNothing(name: String) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        #expect(mkfifo(folder(name), 0o600) == 0)
        let path = BytePath(folder("saved"))
        #expect(FileHandover(savedAt: path) == nil)
        let watching = try await Watching(folder, ["tree"])
        try watching.watcher.save(to: path)
        #expect(FileHandover(savedAt: path) != nil)
    }

    /// Deeper than the maximum length of a path: what cannot be opened by its path is opened step by step.
    @Test func directoriesDeeperThanMaximumPathAreWatched() async throws {
        let folder = Folder()
        let name = String(repeating: "d", count: 200)
        // By hand: no call accepts such a path.
        var place = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for _ in 0..<30 {
            #expect(mkdirat(place, name, 0o700) == 0)
            let next = openat(place, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(place)
            place = next
        }
        let watching = try await Watching(folder)
        #expect(watching.watcher.degradedPaths == [])
        close(openat(place, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        #expect(mkdirat(place, "sub", 0o700) == 0)
        let inner = openat(place, "sub", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        close(openat(inner, "deep", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        try await eventually("all changes are received") {
            Set(watching.all.filter { $0.kind == .created }.map { "\($0.path.name)" }) == ["file", "sub", "deep"]
        }
        unlinkat(inner, "deep", 0)
        close(inner)
        try await eventually("the removal is received") { watching.all.contains { $0.kind == .removed } }
        close(place)
        // A tree that `FileManager` cannot remove.
        let remover = Process()
        remover.executableURL = URL(fileURLWithPath: "/bin/rm")
        remover.arguments = ["-rf", folder.path]
        try remover.run()
        remover.waitUntilExit()
    }

    /// Writes beside a directory do not concern its watcher.
    @Test func siblingsOfDirectoryDoNotWakeWatcher() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.write("sibling")
        folder.write("file")
        let watching = try await Watching(folder, ["tree"])
        let handover = try watching.watcher.handover()
        #expect(try masks(handover).filter { $0 & UInt32(IN_MODIFY) != 0 }.count == 1)
        // The watcher of a file must know of writes there.
        let file = try await Watching(folder, ["file"], watcher: watching.watcher)
        #expect(try masks(handover).filter { $0 & UInt32(IN_MODIFY) != 0 }.count == 2)
        folder.append("file", "more")
        try await eventually("\(file.lines)") { file.lines == ["modified file"] }
    }

    /// A file at a path that did not exist is written to before the watcher can know that it is a file.
    @Test func rootThatBecomesFileIsWatchedForWrites() async throws {
        let folder = Folder()
        let watching = try await Watching(folder, ["root"])
        folder.makeDirectory("root")
        try await eventually("\(watching.lines)") { watching.lines.last?.hasSuffix("created root/") == true }
        folder.remove("root")
        try await eventually("\(watching.lines)") { watching.lines.last?.hasSuffix("removed root/") == true }
        let file = try #require(fopen(folder("root"), "w"))
        fputs("one\n", file)
        fflush(file)
        try await eventually("\(watching.lines)") { watching.lines.contains("created root") }
        fputs("two\n", file)
        fclose(file)
        try await eventually("\(watching.lines)") { watching.lines.last == "modified root" }
    }

    private func masks(_ handover: FileHandover) throws -> [UInt32] {
        let text = try String(contentsOfFile: "/proc/self/fdinfo/\(handover.inotify)", encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("inotify wd:") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("mask:") }.flatMap { UInt32($0.dropFirst(5), radix: 16) }
        }
    }
}

/// Snapshots that were forged: their checksums are right.
@Suite(.balanced, .serialized) struct ForgedTreeTests {
    /// A tree of the root, a directory in it, and a file in that.
    private func saved(_ names: [String], parents: [FileTree.Node] = [-1, 0, 1]) -> FileTree.StoredTree {
        FileTree.StoredTree(
            parents: parents, watches: [-1, -1, -1], flags: [.directory, .directory, []],
            identities: [.unknown, .unknown, .unknown], nameLengths: names.map { UInt16($0.utf8.count) },
            names: names.flatMap { Array($0.utf8) })
    }

    @Test func validTreeIsAccepted() {
        #expect(FileTree(saved(["", "d", "f"])) != nil)
        #expect(FileTree(saved(["", "\0abcd", "f"])) != nil)
    }

    @Test func treeWithoutRootOrNamesIsRefused() {
        let none = FileTree.StoredTree(
            parents: [], watches: [], flags: [], identities: [], nameLengths: [], names: [])
        #expect(FileTree(none) == nil)
        var wrong = saved(["", "d", "f"])
        wrong.flags[0] = []
        #expect(FileTree(wrong) == nil)
        #expect(FileTree(saved(["", "d", "f"], parents: [0, 0, 1])) == nil)
        wrong = saved(["", "d", "f"])
        wrong.names.removeLast()
        #expect(FileTree(wrong) == nil)
        wrong.names += Array("fg".utf8)
        #expect(FileTree(wrong) == nil)
    }

    /// A path with such a name leads out of the tree, or round in circles.
    @Test(arguments: ["", ".", "..", "../../..", "a/b", "a\0b", "\0abc"]) func invalidNameIsRefused(name: String) {
        #expect(FileTree(saved(["", name, "f"])) == nil)
        #expect(FileTree(saved(["", "d", name])) == nil)
    }

    @Test func unreachableNodesAreRefused() {
        #expect(FileTree(saved(["", "d", "f"], parents: [-1, 2, 1])) == nil)
        #expect(FileTree(saved(["", "d", "f"], parents: [-1, 1, 1])) == nil)
        #expect(FileTree(saved(["", "d", "d"], parents: [-1, 0, 0])) == nil)
    }

    /// A snapshot may mark a node as moving that does not move. Such a node could be moved into itself, and no walk
    /// would end.
    @Test func moveOfNodeThatDoesNotMoveIsRefused() throws {
        let folder = Folder()
        folder.makeDirectory("a/b")
        try WatchedRoot.use(of: folder) { root in
            let node = try #require(root.tree?.find(FileTree.root, Array("a".utf8)))
            for forged in [node, FileTree.root] {
                root.unpairedMoves = [7: WatchedRoot.UnpairedMove(node: forged, path: "a", since: .now)]
                let file = try Descriptor(rx_memory_file("forged"), "")
                try WatchSnapshot.write(copyTo: file.number) { root.write(to: &$0) }
                var reader = WatchSnapshotReader(try #require(WatchSnapshot.read(file.number)).bytes)
                _ = try reader.bytes()
                let copy = WatchedRoot(BytePath(folder.path), root.request, 2, root.core)
                #expect(throws: WatchSnapshotReader.Corruption.self) { try copy.read(from: &reader) }
            }
        }
    }

    /// A link that is being moved has no path: nothing is examined in its place.
    @Test func linkThatIsBeingMovedIsNotExamined() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.write("target")
        for name in ["first", "second"] { folder.link("tree/\(name)", to: "../target") }
        let watching = try await Watching(folder, ["tree"])
        let queue = watching.watcher.queueForTests
        queue.suspend()
        folder.rename("tree/first", "outside")
        folder.remove("tree/second")
        folder.write("tree/last")
        queue.resume()
        try await eventually("\(watching.lines)") {
            Set(watching.lines) == [
                "removed tree/first", "removed tree/second", "created tree/last", "modified tree/last",
            ]
        }
        #expect(watching.all.allSatisfy { !$0.path.bytes.contains(0) && !$0.isSynthetic })
    }

    /// Links that are made in one directory do not keep another one waiting: they are examined together.
    @Test(.timeLimit(.minutes(1))) func manyLinksInDirectoryTakeLinearTime() async throws {
        let folder = Folder()
        for name in ["links", "other"] { folder.makeDirectory(name) }
        folder.write("target")
        let watcher = FileWatcher()
        let links = try await Watching(folder, ["links"], watcher: watcher)
        let other = try await Watching(folder, ["other"], watcher: watcher)
        for index in 0..<6_000 { folder.link("links/\(index)", to: "../target") }
        folder.write("other/a")
        try await eventually("\(other.lines)") { other.lines.contains("created other/a") }
        try await eventually("all links are emitted") { links.all.count == 6_000 }
    }

    /// Directories that are renamed while many files have not settled do not keep another one waiting: the files are
    /// looked up by directory.
    @Test(.timeLimit(.minutes(1))) func renamesAmongManyPendingFilesTakeLinearTime() async throws {
        let folder = Folder()
        for name in ["pending", "renamed", "other"] { folder.makeDirectory(name) }
        for index in 0..<1_000 { folder.makeDirectory("renamed/\(index)") }
        let watcher = FileWatcher()
        let settling = try await Watching(folder, ["pending", "renamed"], watcher: watcher) {
            $0.settle = .seconds(600)
        }
        let other = try await Watching(folder, ["other"], watcher: watcher)
        // Fewer events than the kernel queues.
        for index in 0..<4_000 { folder.write("pending/\(index)") }
        for index in 0..<1_000 { folder.rename("renamed/\(index)", "renamed/new-\(index)") }
        folder.write("other/a")
        try await eventually("\(other.lines)") { other.lines.contains("created other/a") }
        try await eventually("all renames are emitted") { settling.all.count == 1_000 }
    }

    /// Even one with the right sum.
    @Test func snapshotAboveLimitIsNotRead() throws {
        let file = try Descriptor(rx_memory_file("large"), "")
        try WatchSnapshot.write(copyTo: file.number) { $0.put([UInt8](repeating: 0, count: 10_000)) }
        #expect(WatchSnapshot.read(file.number, atMost: 10_004)?.bytes.count == 10_004)
        #expect(WatchSnapshot.read(file.number, atMost: 10_003) == nil)
    }

    /// Files beyond the limit of all trees are left out, which is recorded once for each path, and the others are
    /// watched as usual. When files are removed, there is room for new ones.
    @Test func filesBeyondLimitAreLeftOut() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/old")
        for index in 0..<10 { folder.write("tree/old/\(index)") }
        let watcher = FileWatcher()
        watcher.quota.limit = 20 * FileTree.memory(ofFileNamed: Array("ab".utf8))
        let degraded = Cell<[FileDegradation]>([])
        let subscription = watcher.degradations.subscribe(onNext: { degraded.append($0) })
        let watching = try await Watching(folder, ["tree"], watcher: watcher)
        for index in 0..<30 { folder.write("tree/\(index)") }
        folder.append("tree/old/1", "more")
        try await eventually("\(watching.lines)") { watching.lines.last == "modified tree/old/1" }
        #expect(watching.all.count { $0.kind == .created } == 8)
        #expect(degraded.value.count == 1 && watcher.degradedPaths == degraded.value)
        let text = degraded.value.first?.description ?? ""
        #expect(text.contains("is watched in part") && text.contains("raise MemoryMax"), "\(text)")
        for index in 0..<10 { folder.remove("tree/old/\(index)") }
        try await eventually("\(watching.lines)") { watching.lines.last == "removed tree/old/9" }
        folder.write("tree/last")
        try await eventually("\(watching.lines)") { watching.lines.last == "modified tree/last" }
        subscription.dispose()
    }

    /// It claims to be longer than the memory is large, and the file is as long, and sparse.
    @Test func sparseSnapshotTakesNoMemory() throws {
        let file = try Descriptor(rx_memory_file("sparse"), "")
        try WatchSnapshot.write(copyTo: file.number) { $0.put(UInt32(7)) }
        var length: UInt64 = 1 << 29
        pwrite(file.number, &length, 8, 24)
        #expect(ftruncate(file.number, 1 << 40) == 0)
        #expect(WatchSnapshot.read(file.number) == nil)
        length = 1 << 39
        pwrite(file.number, &length, 8, 24)
        #expect(WatchSnapshot.read(file.number) == nil)
    }
}
