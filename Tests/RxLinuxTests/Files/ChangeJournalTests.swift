import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Processes are killed, and the next one finds the changes that they emitted.
@Suite(.balanced, .serialized) struct ChangeJournalTests {
    private typealias Reader = FileReader

    private let folder = Folder()
    private var saved: BytePath { BytePath(folder("saved")) }

    init() {
        folder.makeDirectory("tree/old")
    }

    private func journals() -> [String] {
        folder.contents.filter { $0.hasPrefix("saved.changes.") }.sorted()
    }

    /// Without a descriptor store there is the snapshot alone, which is older than the emitted changes.
    @Test func removalOfFileMissingInSnapshotIsEmitted() async throws {
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        folder.makeDirectory("tree/a")
        // Otherwise a file that is moved there may be found by looking.
        try await first.receives(["created tree/a/"])
        folder.makeDirectory("tree/a/b")
        folder.rename("tree/old", "tree/a/old")
        folder.write("tree/file")
        try await eventually("\(first.lines)") { first.lines.last == "modified tree/file" }
        let received = first.lines
        first.watcher.simulateCrash()
        folder.remove("tree/a/b")
        folder.remove("tree/file")
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.position)
        try await eventually("\(received) \(second.lines)") {
            Set(second.lines) == ["synthetic removed tree/a/b/", "synthetic removed tree/file"]
        }
    }

    /// Also of changes that cannot be found by looking.
    @Test func changesAfterPositionKeepTheirNames() async throws {
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        folder.write("tree/a")
        folder.rename("tree/a", "tree/b")
        folder.remove("tree/b")
        folder.makeDirectory("tree/c")
        try await first.receives([
            "created tree/a", "modified tree/a", "moved tree/b < tree/a", "removed tree/b", "created tree/c/",
        ])
        let received = first.received.value
        first.watcher.simulateCrash()
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: received[1].position)
        try await second.receives(Array(first.lines.dropFirst(2)))
        #expect(second.received.value.map(\.name) == received.dropFirst(2).map(\.name))
        #expect(second.received.value.map(\.position) == received.dropFirst(2).map(\.position))
    }

    /// A directory is removed with its contents and replaced before the next process starts.
    @Test(arguments: [true, false]) func directoryReplacedSinceSnapshot(hasQueue: Bool) async throws {
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        let handover = try first.watcher.handover()
        folder.makeDirectory("tree/d")
        try await first.receives(["created tree/d/"])
        try await eventually("the snapshot is up to date") { WatchSnapshot.read(handover.snapshot)?.isStale == false }
        first.watcher.holdSnapshot()
        folder.makeDirectory("tree/d/new")
        try await first.receives(["created tree/d/", "created tree/d/new/"])
        first.watcher.simulateCrash()
        folder.remove("tree/d")
        folder.makeDirectory("tree/d")
        let second = try await Reader(
            folder, hasQueue ? handover : FileHandover(savedAt: saved), after: first.position)
        try await eventually("\(second.lines)") { second.lines.contains { $0.hasSuffix("removed tree/d/new/") } }
        let view = View(["old/"], root: folder("tree"))
        try await eventually("\(second.lines)") {
            view.after((first.received.value + second.received.value).map(\.change))
                == RandomTree(folder("tree")).walk()
        }
    }

    /// The kernel has events of a file at whose path the comparison finds a directory.
    @Test(arguments: ["close", "move"]) func directoryThatReplacedFileIsKept(end: String) async throws {
        folder.makeDirectory("tree/c/d")
        let first = try await Reader(folder, settle: .seconds(3_600))
        let handover = try first.watcher.handover()
        try first.watcher.save(to: saved)
        first.watcher.holdSnapshot()
        folder.remove("tree/c")
        let file = try #require(fopen(folder("tree/c"), "we"))
        try await eventually("every event is handled") { first.watcher.simulateCrashIfAllEventsAreHandled() }
        fputs("content", file)
        fclose(file)
        if end == "move" { folder.rename("tree/c", "tree/y") } else { folder.remove("tree/c") }
        folder.makeDirectory("tree/c/d")
        let second = try await Reader(folder, handover, after: first.position, settle: .milliseconds(1))
        folder.makeDirectory("tree/last")
        try await eventually("\(second.lines)") { second.lines.contains("created tree/last/") }
        let view = View(["old/", "c/", "c/d/"], root: folder("tree"))
        let received = second.received.value.map(\.change)
        #expect(view.after(received) == RandomTree(folder("tree")).walk(), "\(second.lines)")
    }

    /// The next process is killed before it saves a snapshot of its own.
    @Test func changesBeforeFirstSnapshotAreJournaled() async throws {
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        first.watcher.simulateCrash()
        folder.makeDirectory("tree/a")
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.position)
        try await second.receives(["synthetic created tree/a/"])
        second.watcher.simulateCrash()
        folder.remove("tree/a")
        let third = try await Reader(folder, FileHandover(savedAt: saved), after: second.position)
        try await third.receives(["synthetic removed tree/a/"])
    }

    // MARK: changes that were pending when the snapshot was saved

    /// A reader whose changes are pending until a directory moves, and another that emits each change at once.
    private func settlingReader(
        kinds: Set<FileChange.Kind> = FileRequest([]).kinds
    ) async throws -> (reader: Reader, probe: Watching) {
        let reader = try await Reader(folder, settle: .seconds(3_600), kinds: kinds)
        let probe = try await Watching(folder, ["tree"], watcher: reader.watcher) {
            $0.kinds.insert(.attributes)
        }
        return (reader, probe)
    }

    private func sees(_ probe: Watching, _ line: String) async throws {
        try await eventually("\(line) in \(probe.lines)") { probe.lines.last?.hasSuffix(line) == true }
    }

    /// The snapshot says that the directory is gone, which was never emitted.
    @Test func directoryRestoredAndMovedHasItsContents() async throws {
        folder.makeDirectory("tree/old/in")
        let (first, probe) = try await settlingReader()
        folder.remove("tree/old")
        try await sees(probe, "removed tree/old/")
        try first.watcher.save(to: saved)
        folder.makeDirectory("tree/old")
        try await sees(probe, "created tree/old/")
        folder.makeDirectory("tree/old/in")
        try await sees(probe, "created tree/old/in/")
        folder.rename("tree/old", "tree/new")
        try await first.receives(["moved tree/new/ < tree/old"])
        first.watcher.simulateCrash()
        folder.remove("tree/new/in")
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.position)
        try await second.receives(["synthetic removed tree/new/in/"])
    }

    /// The move was emitted as the later state of the file.
    @Test func undoneMoveIsNotEmittedAgain() async throws {
        folder.write("tree/old/a")
        let (first, probe) = try await settlingReader()
        folder.rename("tree/old/a", "tree/old/b")
        try await sees(probe, "moved tree/old/b < tree/old/a")
        try first.watcher.save(to: saved)
        first.watcher.holdSnapshot()
        folder.remove("tree/old/b")
        folder.write("tree/old/a")
        try await sees(probe, "modified tree/old/a")
        folder.rename("tree/old", "tree/new")
        folder.rename("tree/new", "tree/old")
        try await first.receives([
            "removed tree/old/a", "created tree/old/a", "moved tree/new/ < tree/old", "moved tree/old/ < tree/new",
        ])
        first.watcher.simulateCrash()
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.position)
        try await eventually("the reader has caught up") { second.caughtUp.value == 1 }
        #expect(second.lines == [])
    }

    /// Its directory has moved when its closing is handled: its path at the last write is still known.
    @Test func fileThatMovedBeforeItsClosingWasHandledIsNotEmittedAgain() async throws {
        let (first, probe) = try await settlingReader()
        try first.watcher.save(to: saved)
        let file = try #require(fopen(folder("tree/old/a"), "we"))
        fputs("content", file)
        fflush(file)
        try await sees(probe, "created tree/old/a")
        try await eventually("every event is handled") { first.watcher.hasHandledAllEvents }
        first.watcher.holdSnapshot()
        first.watcher.queueForTests.suspend()
        fclose(file)
        folder.rename("tree/old", "tree/new")
        first.watcher.queueForTests.resume()
        try await first.receives(["created tree/old/a", "moved tree/new/ < tree/old"])
        try await sees(probe, "moved tree/new/ < tree/old")
        first.watcher.simulateCrash()
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.position)
        try await eventually("the reader has caught up") { second.caughtUp.value == 1 }
        #expect(second.lines == [])
    }

    /// A comparison does not find it.
    @Test func pendingChangeOfAttributesIsEmitted() async throws {
        folder.write("tree/file")
        let (first, probe) = try await settlingReader(kinds: [.attributes, .moved])
        chmod(folder("tree/file"), 0o600)
        try await sees(probe, "attributes tree/file")
        try first.watcher.save(to: saved)
        folder.rename("tree/old", "tree/new")
        try await first.receives(["moved tree/new/ < tree/old"])
        first.watcher.simulateCrash()
        let second = try await Reader(
            folder, FileHandover(savedAt: saved), after: first.position, kinds: [.attributes, .moved])
        try await second.receives(["attributes tree/file"])
    }

    /// The kernel reports a close that no process reads, and the file is unchanged since it was emitted.
    @Test func fileClosedBetweenProcessesIsEmittedAsClosed() async throws {
        let first = try await Reader(folder, kinds: [.created, .closed])
        try first.watcher.save(to: saved)
        let file = try #require(fopen(folder("tree/file"), "w"))
        try await first.receives(["created tree/file"])
        first.watcher.simulateCrash()
        fclose(file)
        let second = try await Reader(
            folder, FileHandover(savedAt: saved), after: first.position, kinds: [.created, .closed])
        try await second.receives(["synthetic closed tree/file"])
    }

    /// Killed at any moment, with a snapshot of any age and some pending changes: the view equals the tree.
    @Test(arguments: [0, 3, 30, 300], [true, false])
    func viewEqualsTreeAfterKills(settle: Int, hasQueue: Bool) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        var tree = RandomTree(folder("tree"))
        for _ in 0..<30 { tree.change(&random) }
        let view = View(tree.walk(), root: folder("tree"))
        var received: [FileChange] = []
        var before: FileHandover?
        var position: FilePosition?
        for _ in 0..<8 {
            let reader = try await Reader(folder, before, after: position, settle: .milliseconds(settle))
            for part in 0..<2 {
                for _ in 0..<Int.random(in: 0..<40, using: &random) { tree.change(&random) }
                if part == 0 { try reader.watcher.save(to: saved) }
            }
            before = try hasQueue ? reader.watcher.handover() : nil
            try await eventually("every event is handled") { reader.watcher.simulateCrashIfAllEventsAreHandled() }
            before = before ?? FileHandover(savedAt: saved)
            for _ in 0..<Int.random(in: 0..<40, using: &random) { tree.change(&random) }
            received += reader.received.value.map(\.change)
            position = reader.position
        }
        let last = try await Reader(folder, before, after: position, settle: .milliseconds(settle))
        let earlier = received
        try await eventually(
            "seed \(seed): \(view.difference(to: tree.walk(), after: earlier + last.received.value.map(\.change)))"
        ) {
            last.caughtUp.value == 1 && view.after(earlier + last.received.value.map(\.change)) == tree.walk()
        }
        #expect(journals().count <= 2)
    }

    /// Journals of replaced snapshots are deleted.
    @Test func journalIsDeletedWithItsSnapshot() async throws {
        let first = try await Reader(folder)
        for number in 0..<5 {
            folder.makeDirectory("tree/\(number)")
            try await eventually("\(first.lines)") { first.lines.count == number + 1 }
            try first.watcher.save(to: saved)
            #expect(journals() == ["saved.changes.\(number + 1)"])
        }
        // A snapshot that cannot be put in place needs the journals since the one before.
        folder.makeDirectory("tree/more")
        try await eventually("\(first.lines)") { first.lines.count == 6 }
        first.watcher.simulateCrash()
        let second = try await Reader(folder, FileHandover(savedAt: saved), after: first.started.value)
        #expect(second.lines == first.lines)
        try second.watcher.save(to: saved)
        #expect(journals() == ["saved.changes.6"])
    }

    /// Journals that another program wrote.
    @Test func arbitraryBytesAreAccepted() async throws {
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        folder.write("tree/a")
        folder.rename("tree/a", "tree/old/b")
        folder.remove("tree/old")
        try await eventually("\(first.lines)") { first.lines.last == "removed tree/old/" }
        first.watcher.simulateCrash()
        let journal = URL(fileURLWithPath: folder("saved.changes.1"))
        let whole = try Data(contentsOf: journal)
        #expect(!whole.isEmpty)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1..<4) { bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255) }
            bytes.removeLast(Int.random(in: 0..<bytes.count))
            try bytes.write(to: journal)
            _ = FileWatcher(resuming: FileHandover(savedAt: saved), savingTo: saved).watchCount
        }
        // Names that lead out of the tree, and moves into the moved directory.
        let core = FileWatcherCore(nil, 4096, .seconds(1)) { _ in }
        core.queue.sync {
            let root = WatchedRoot(BytePath(folder("tree")), FileRequest([BytePath(folder("tree"))]), 1, core)
            core.roots[1] = root
            root.arm()
            let changes: [(FileChange.Kind, String, String?)] = [
                (.created, "x/y/z", nil), (.created, "../../etc", nil), (.created, "x/./..", nil),
                (.moved, "x/y/z/x", "x"),
                (.moved, "x", "x/y/z"), (.moved, "x/y", "x/y"), (.modified, "x/y/z", "x"), (.moved, "", "x"),
                (.removed, "", nil), (.created, "q", nil), (.created, "", nil), (.moved, "q", ""), (.removed, "q", nil),
            ]
            for _ in 0..<500 {
                guard let (kind, path, from) = changes.randomElement() else { continue }
                let below = { (name: String) in
                    BytePath(name.isEmpty ? self.folder("tree") : self.folder("tree/" + name))
                }
                let change = FileChange(kind, below(path), from: from.map(below), isDirectory: Bool.random())
                if Bool.random() { root.apply(change, nil) } else { root.revert([change]) }
                #expect(root.tree?.subtree(of: FileTree.root).count == root.tree?.count)
            }
            core.roots = [:]
        }
    }
}

extension FileReader {
    /// Makes a process with one subscriber.
    fileprivate convenience init(
        _ folder: Folder, _ handover: FileHandover? = nil, after position: FilePosition? = nil,
        settle: Duration = .zero, kinds: Set<FileChange.Kind> = FileRequest([]).kinds
    ) async throws {
        let watcher = FileWatcher(resuming: handover, savingTo: BytePath(folder("saved")))
        try await self.init(folder, watcher, after: position) { ($0.settle, $0.kinds) = (settle, kinds) }
        watcher.finishResuming()
    }
}
