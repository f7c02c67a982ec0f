import Foundation
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Subscribers that keep their position across watchers.
@Suite(.balanced, .serialized) struct FileReadingTests {
    private typealias Reader = FileReader

    /// The snapshot is newer than the position that the subscriber has stored.
    @Test func changesAfterPositionAreEmittedAgain() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        #expect(first.started.value?.number == 0 && first.caughtUp.value == 1)
        folder.write("tree/a")
        folder.remove("tree/a")
        folder.write("tree/b")
        try await first.receives([
            "created tree/a", "modified tree/a", "removed tree/a", "created tree/b", "modified tree/b",
        ])
        let received = first.received.value
        #expect(received.map(\.position.number) == [1, 2, 3, 4, 5] && Set(received.map(\.name)).count == 5)
        first.watcher.acknowledge(received[0].position)
        try await first.dies()
        folder.write("tree/c")

        let second = try await Reader(folder, handover, after: received[1].position)
        let next = try second.watcher.handover()
        second.watcher.finishResuming()
        try await second.receives(received[2...].map(\.line) + ["created tree/c", "modified tree/c"])
        #expect(second.received.value.prefix(3) == received[2...] && second.started.value == received[1].position)
        #expect(second.received.value.map(\.position.number) == [3, 4, 5, 6, 7])
        try await eventually("the reader has caught up, once") { second.caughtUp.value == 1 }

        // A position that is later than the snapshot's, and one of another log.
        try await eventually("the watcher is at rest") { second.watcher.simulateCrashIfSnapshotIsCurrent() }
        let later = FilePosition(log: received[0].position.log, number: 20)
        let third = try await Reader(folder, next, after: later)
        let last = try third.watcher.handover()
        third.watcher.finishResuming()
        folder.write("tree/d")
        try await third.receives(["created tree/d", "modified tree/d"])
        #expect(third.received.value.map(\.position.number) == [21, 22])
        try await eventually("the watcher is at rest") { third.watcher.simulateCrashIfSnapshotIsCurrent() }
        let fourth = try await Reader(folder, last, after: FilePosition(log: 1, number: 20))
        fourth.watcher.finishResuming()
        try await fourth.receives(["created tree/d", "modified tree/d"])
        #expect(fourth.received.value.map(\.name) == third.received.value.map(\.name))
    }

    /// The snapshot is older than the emitted changes: a file that is found again has its earlier name.
    @Test func fileFoundAgainKeepsItsName() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        for name in ["old", "gone"] { folder.write("tree/\(name)") }
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        folder.write("tree/new")
        folder.append("tree/old", "more")
        folder.remove("tree/gone")
        try await first.receives([
            "created tree/new", "modified tree/new", "modified tree/old", "removed tree/gone",
        ])
        first.watcher.simulateCrash()
        folder.write("tree/away")

        let second = try await Reader(
            folder, FileHandover(savedAt: saved), after: first.received.value.last?.position, settle: .zero)
        second.watcher.finishResuming()
        let names = Dictionary(first.received.value.map { ($0.line, $0.name) }) { $1 }
        let found = Dictionary(second.received.value.map { ($0.line, $0.name) }) { $1 }
        #expect(
            found.keys.sorted() == [
                "synthetic created tree/away", "synthetic created tree/new", "synthetic modified tree/old",
                "synthetic removed tree/gone",
            ])
        #expect(found["synthetic created tree/new"] == names["created tree/new"])
        #expect(found["synthetic modified tree/old"] == names["modified tree/old"])
        #expect(found["synthetic removed tree/gone"] != names["removed tree/gone"])
        #expect(second.caughtUp.value == 1 && second.received.value.map(\.position.number) == [5, 6, 7, 8])
    }

    /// Settling changes are emitted before the subscriber has caught up.
    @Test func catchingUpWaitsForSettlingChanges() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder, settle: .milliseconds(20))
        try first.watcher.save(to: saved)
        first.watcher.simulateCrash()
        folder.write("tree/a")
        let second = try await Reader(folder, FileHandover(savedAt: saved), settle: .milliseconds(20))
        second.watcher.finishResuming()
        try await eventually("the reader has caught up") { second.caughtUp.value == 1 }
        #expect(second.receivedBefore.value?.map(\.line) == ["synthetic created tree/a"])
        #expect(second.lines == ["synthetic created tree/a"])
    }

    /// A reload runs both for a while.
    @Test func subscribersGiveSameNamesToChanges() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.makeDirectory("outside")
        let first = try await Reader(folder)
        folder.write("tree/a")
        folder.remove("tree/a")
        try await first.receives(["created tree/a", "modified tree/a", "removed tree/a"])
        let before = first.received.value.count
        let second = try await Reader(folder, beside: first)
        func bothReceive(_ lines: [String]) async throws {
            try await eventually("both have received it: \(first.lines) \(second.lines)") {
                second.lines == lines && first.lines.dropFirst(before).elementsEqual(lines)
            }
        }
        var lines = ["created tree/b", "modified tree/b"]
        folder.write("tree/b")
        try await bothReceive(lines)
        lines += ["moved tree/c < tree/b", "removed tree/c", "created tree/c", "modified tree/c"]
        folder.rename("tree/b", "tree/c")
        folder.remove("tree/c")
        folder.write("tree/c")
        try await bothReceive(lines)
        folder.rename("tree/c", "outside/c")
        try await bothReceive(lines + ["removed tree/c"])
        #expect(first.received.value.dropFirst(before).map(\.name) == second.received.value.map(\.name))
        #expect(Set(first.received.value.map(\.name)).count == first.lines.count)
    }

    @Test func snapshotIsSavedIfChanged() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = folder("saved")
        func inode() -> UInt64? {
            (try? FileManager.default.attributesOfItem(atPath: saved)[.systemFileNumber] as? NSNumber)??.uint64Value
        }
        let reader = try await Reader(folder)
        #expect(try reader.watcher.saveChanges() == nil && inode() == nil)
        try reader.watcher.save(to: BytePath(saved))
        // The watcher may still handle events of the start, and each changes the snapshot.
        try await eventually("saving an unchanged snapshot writes no file") {
            let before = inode()
            _ = try reader.watcher.saveChanges()
            return before != nil && inode() == before
        }
        let first = inode()
        folder.write("tree/a")
        try await reader.receives(["created tree/a", "modified tree/a"])
        try await eventually("the snapshot is saved again") {
            _ = try reader.watcher.saveChanges()
            return inode() != first
        }
    }

    /// A position may be stored when the snapshot has it, however long saving that takes.
    @Test(arguments: [true, false]) func positionIsNotLaterThanSnapshot(isUrgent: Bool) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        for number in 0..<1000 { folder.write("tree/\(number)") }
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        try first.watcher.save(to: saved)
        folder.write("tree/a")
        try await first.receives(["created tree/a", "modified tree/a"])
        if isUrgent {
            #expect(try first.watcher.saveChanges(isUrgent: true) == nil)
        } else {
            try await eventually("the snapshot is saved") { try first.watcher.saveChanges() == nil }
        }
        first.watcher.simulateCrash()
        let position = first.received.value.last?.position
        for found in [FileHandover(savedAt: saved), handover] {
            let second = try await Reader(folder, found, after: position)
            second.watcher.finishResuming()
            try await eventually("the reader has caught up") { second.caughtUp.value == 1 }
            #expect(second.lines.isEmpty)
            second.watcher.simulateCrash()
        }
    }

    /// A file that was moved away and back is emitted as created once more, also while no process watches.
    @Test func fileMovedBackHasNewName() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        folder.write("tree/a")
        try await first.receives(["created tree/a", "modified tree/a"])
        folder.rename("tree/a", "a")
        try await first.receives(["created tree/a", "modified tree/a", "removed tree/a"])
        let received = first.received.value
        try await first.dies()
        folder.rename("a", "tree/a")

        let second = try await Reader(folder, handover, after: received.last?.position)
        second.watcher.finishResuming()
        try await second.receives(["created tree/a"])
        #expect(second.received.value.first?.name != received.first?.name)
    }

    // MARK: - Back-pressure

    private static let files = (0..<60).map { "tree/\($0)" }

    /// A reader that receives ten changes and processes none, and files that it does not receive.
    private func stalledReader(_ folder: Folder, settle: Duration = .zero) async throws -> Reader {
        folder.makeDirectory("tree/old")
        let reader = try await Reader(folder, settle: settle, limit: 10)
        for name in Self.files { folder.write(name) }
        try await eventually("the reader is suspended") { reader.suspended.value.first == 10 }
        return reader
    }

    @Test(arguments: [0, 5]) func changesBeyondLimitAreFoundByComparing(settle: Int) async throws {
        let folder = Folder()
        let reader = try await stalledReader(folder, settle: .milliseconds(settle))
        folder.remove("tree/old")
        folder.write("tree/late")
        try await reader.continues(Self.files + ["tree/late"], and: "removed tree/old/")
        #expect(reader.created.sorted() == (Self.files + ["tree/late"]).sorted())
        // Nothing is left out any more.
        folder.makeDirectory("tree/new")
        try await reader.continues(["tree/new/"])
        folder.write("tree/new/a")
        try await reader.continues(["tree/new/a"])
        #expect(reader.suspended.value.first == 10 && Set(reader.created).count == reader.created.count)
    }

    /// The findings of one walk are not emitted all at once.
    @Test func walkStopsAtLimit() async throws {
        let folder = Folder()
        for number in 0..<20 { folder.makeDirectory("other/\(number)") }
        for name in Self.files { folder.write("other/\(name.dropFirst(5).last ?? "0")/\(name.dropFirst(5))") }
        folder.makeDirectory("tree")
        let reader = try await Reader(folder, limit: 10)
        folder.rename("other", "tree/other")
        try await eventually("the reader is suspended") { reader.suspended.value == [10] }
        #expect(reader.lines.count == 10)
        let all = folder.contents.filter { $0 != "tree/" }
        try await reader.continues(Array(all))
        #expect(reader.created.sorted() == all.sorted() && reader.lines.allSatisfy { !$0.contains("removed") })
    }

    @Test func nextProcessFindsSkippedFiles() async throws {
        let folder = Folder()
        let saved = BytePath(folder("saved"))
        for isPair in [true, false] {
            let first = try await stalledReader(folder)
            let handover = try first.watcher.handover()
            try first.watcher.save(to: saved)
            try await first.dies()
            let second = try await Reader(
                folder, isPair ? handover : FileHandover(savedAt: saved), after: first.received.value.last?.position,
                limit: 20)
            second.watcher.finishResuming()
            let rest = Self.files.filter { !first.created.contains($0) }
            #expect(!rest.isEmpty && second.caughtUp.value == 0)
            try await second.continues(rest)
            try await eventually("the reader has caught up, once") { second.caughtUp.value == 1 }
            #expect(second.created.sorted() == rest.sorted())
            for name in Self.files { folder.remove(name) }
        }
    }

    /// As when a reload changes the source.
    @Test func replacingReaderFindsSkippedFiles() async throws {
        let folder = Folder()
        let first = try await stalledReader(folder)
        let position = first.received.value.last?.position
        do {
            let second = try await Reader(folder, after: position, limit: 1000, beside: first)
            try await second.continues(Self.files.filter { !first.created.contains($0) })
            // The second run has emitted it, and the first does not.
            first.slots.update { $0 = [] }
            #expect(first.created.count < 60 && Set(first.created).isDisjoint(with: second.created))
        }
        // The second was cancelled.
        try await first.continues(Self.files)
        #expect(first.created.count == 60)
    }

    /// As at the start, where the first save and that of the first snapshot are made by different threads.
    @Test func concurrentSavesAreIndependent() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = BytePath(folder("saved"))
        let reader = try await Reader(folder)
        let failures = Cell<[String]>([])
        inParallel(4) { thread in
            for round in 0..<50 {
                if thread == 0 { folder.write("tree/\(round)") }
                do {
                    if thread % 2 == 0 {
                        try reader.watcher.save(to: saved)
                    } else {
                        _ = try reader.watcher.saveChanges()
                    }
                    if thread == 2, FileHandover(savedAt: saved) == nil { failures.append("no whole snapshot") }
                } catch {
                    failures.append("\(error)")
                }
            }
        }
        #expect(failures.value == [])
        #expect(!FileManager.default.fileExists(atPath: folder("saved.new")))
    }

    /// A snapshot that could not be put in place is saved again, before a snapshot that needs it.
    @Test func snapshotThatWasNotPlacedCountsAsUnsaved() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.makeDirectory("saved")
        folder.write("saved/in-the-way")
        let reader = try await Reader(folder)
        #expect(throws: SystemError.self) { try reader.watcher.save(to: BytePath(folder("saved"))) }
        #expect(!FileManager.default.fileExists(atPath: folder("saved.new")))
        try await eventually("the watcher tries to save again") {
            do {
                _ = try reader.watcher.saveChanges()
                return false
            } catch {
                return true
            }
        }
    }
}

extension FileReader {
    fileprivate convenience init(
        _ folder: Folder, _ handover: FileHandover? = nil, after position: FilePosition? = nil,
        settle: Duration = .zero, limit: Int = .max, beside other: FileReader? = nil
    ) async throws {
        try await self.init(
            folder, other?.watcher ?? FileWatcher(resuming: handover), after: position, limit: limit
        ) { $0.settle = settle }
    }

    /// Processes received changes until all of these files were emitted as created, and waits for a line with this
    /// ending.
    fileprivate func continues(_ files: [String], and line: String? = nil) async throws {
        let all = Set(files)
        try await eventually("\(all.count) files, not \(self.created.count)") {
            slots.update { $0 = [] }
            return Set(self.created).isSuperset(of: all)
                && (line.map { line in self.lines.contains { $0.hasSuffix(line) } } ?? true)
        }
    }

    fileprivate var created: [String] {
        received.value.map(\.line).filter { $0.contains("created ") }.map {
            String($0.split(separator: " ")[$0.hasPrefix("s") ? 2 : 1])
        }
    }

    fileprivate func dies() async throws {
        try await eventually("the snapshot is up to date") { watcher.simulateCrashIfSnapshotIsCurrent() }
    }
}
