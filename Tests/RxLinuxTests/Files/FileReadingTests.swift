import Foundation
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Subscribers that keep their position across watchers.
@Suite(.balanced, .serialized) struct FileReadingTests {
    private struct Told: Equatable {
        let line: String
        let name: String
        let position: FilePosition
    }

    /// A subscriber, and what it reads.
    private final class Reader: Sendable {
        let watcher: FileWatcher
        let told = Box<[Told]>([])
        let started = Box<FilePosition?>(nil)
        let caughtUp = Box(0)
        private let subscription: any Disposable

        init(
            _ folder: Folder, _ handover: FileHandover? = nil, after position: FilePosition? = nil,
            settle: Duration = .zero, beside other: Reader? = nil
        ) async throws {
            watcher = other?.watcher ?? FileWatcher(resuming: handover)
            let isArmed = Box(false)
            let request = FileRequest([BytePath(folder("tree"))], recursive: true, settle: settle)
            subscription = watcher.readings(request, after: position, onArmed: { isArmed.update { $0 = true } })
                .subscribe(onNext: { [told, started, caughtUp] reading in
                    switch reading {
                    case .started(let position): started.update { $0 = position }
                    case .caughtUp: caughtUp.update { $0 += 1 }
                    case .change(let change, let name, let position):
                        told.append(Told(line: folder.line(change), name: name, position: position))
                    }
                })
            try await eventually("it is armed") { isArmed.value }
        }

        deinit {
            subscription.dispose()
        }

        var lines: [String] { told.value.map(\.line) }

        func tells(_ lines: [String]) async throws {
            try await eventually("\(lines), not \(self.lines)") { self.lines == lines }
        }

        func dies() async throws {
            try await eventually("the table is up to date") { watcher.dieAtRest() }
        }
    }

    /// The table is newer than what the subscriber has stored.
    @Test func whatWasToldAfterThePositionIsToldAgain() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        #expect(first.started.value?.number == 0 && first.caughtUp.value == 1)
        folder.write("tree/a")
        folder.remove("tree/a")
        folder.write("tree/b")
        try await first.tells([
            "created tree/a", "modified tree/a", "removed tree/a", "created tree/b", "modified tree/b",
        ])
        let told = first.told.value
        #expect(told.map(\.position.number) == [1, 2, 3, 4, 5] && Set(told.map(\.name)).count == 5)
        first.watcher.acknowledge(told[0].position)
        try await first.dies()
        folder.write("tree/c")

        let second = try await Reader(folder, handover, after: told[1].position)
        let next = try second.watcher.handover()
        second.watcher.finishResuming()
        try await second.tells(told[2...].map(\.line) + ["created tree/c", "modified tree/c"])
        #expect(second.told.value.prefix(3) == told[2...] && second.started.value == told[1].position)
        #expect(second.told.value.map(\.position.number) == [3, 4, 5, 6, 7])
        try await eventually("it has caught up, once") { second.caughtUp.value == 1 }

        // A position that is later than the table's, and one of another log.
        try await eventually("it is at rest") { second.watcher.dieAtRest() }
        let later = FilePosition(log: told[0].position.log, number: 20)
        let third = try await Reader(folder, next, after: later)
        let last = try third.watcher.handover()
        third.watcher.finishResuming()
        folder.write("tree/d")
        try await third.tells(["created tree/d", "modified tree/d"])
        #expect(third.told.value.map(\.position.number) == [21, 22])
        try await eventually("it is at rest") { third.watcher.dieAtRest() }
        let fourth = try await Reader(folder, last, after: FilePosition(log: 1, number: 20))
        fourth.watcher.finishResuming()
        try await fourth.tells(["created tree/d", "modified tree/d"])
        #expect(fourth.told.value.map(\.name) == third.told.value.map(\.name))
    }

    /// The table is older than what was told: what is found again has the name that it had.
    @Test func whatIsFoundAgainHasItsName() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        for name in ["old", "gone"] { folder.write("tree/\(name)") }
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder)
        try first.watcher.save(to: saved)
        folder.write("tree/new")
        folder.append("tree/old", "more")
        folder.remove("tree/gone")
        try await first.tells([
            "created tree/new", "modified tree/new", "modified tree/old", "removed tree/gone",
        ])
        first.watcher.die()
        folder.write("tree/away")

        let second = try await Reader(
            folder, FileHandover(savedAt: saved), after: first.told.value.last?.position, settle: .zero)
        let names = Dictionary(first.told.value.map { ($0.line, $0.name) }) { $1 }
        let found = Dictionary(second.told.value.map { ($0.line, $0.name) }) { $1 }
        #expect(
            found.keys.sorted() == [
                "synthetic created tree/away", "synthetic created tree/new", "synthetic modified tree/old",
                "synthetic removed tree/gone",
            ])
        #expect(found["synthetic created tree/new"] == names["created tree/new"])
        #expect(found["synthetic modified tree/old"] == names["modified tree/old"])
        #expect(found["synthetic removed tree/gone"] != names["removed tree/gone"])
        #expect(second.caughtUp.value == 1 && second.told.value.map(\.position.number) == [5, 6, 7, 8])
    }

    /// What settles is told before the subscriber has caught up.
    @Test func catchingUpWaitsForWhatSettles() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder, settle: .milliseconds(20))
        try first.watcher.save(to: saved)
        first.watcher.die()
        folder.write("tree/a")
        let second = try await Reader(folder, FileHandover(savedAt: saved), settle: .milliseconds(20))
        #expect(second.caughtUp.value == 0 && second.lines.isEmpty)
        try await eventually("it has") { second.caughtUp.value == 1 }
        #expect(second.lines == ["synthetic created tree/a"])
    }

    /// A reload has both for a while.
    @Test func subscribersOfTheSameNameChangesAlike() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.makeDirectory("outside")
        let first = try await Reader(folder)
        folder.write("tree/a")
        folder.remove("tree/a")
        try await first.tells(["created tree/a", "modified tree/a", "removed tree/a"])
        let before = first.told.value.count
        let second = try await Reader(folder, beside: first)
        func bothTell(_ lines: [String]) async throws {
            try await eventually("both have told it: \(first.lines) \(second.lines)") {
                second.lines == lines && first.lines.dropFirst(before).elementsEqual(lines)
            }
        }
        var lines = ["created tree/b", "modified tree/b"]
        folder.write("tree/b")
        try await bothTell(lines)
        lines += ["moved tree/c < tree/b", "removed tree/c", "created tree/c", "modified tree/c"]
        folder.rename("tree/b", "tree/c")
        folder.remove("tree/c")
        folder.write("tree/c")
        try await bothTell(lines)
        folder.rename("tree/c", "outside/c")
        try await bothTell(lines + ["removed tree/c"])
        #expect(first.told.value.dropFirst(before).map(\.name) == second.told.value.map(\.name))
        #expect(Set(first.told.value.map(\.name)).count == first.lines.count)
    }

    @Test func tableIsSavedIfItHasChanged() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = folder("saved")
        func inode() -> UInt64? {
            (try? FileManager.default.attributesOfItem(atPath: saved)[.systemFileNumber] as? NSNumber)??.uint64Value
        }
        let reader = try await Reader(folder)
        #expect(try reader.watcher.saveChanges() == nil && inode() == nil)
        try reader.watcher.save(to: BytePath(saved))
        let first = inode()
        _ = try reader.watcher.saveChanges()
        #expect(first != nil && inode() == first)
        folder.write("tree/a")
        try await reader.tells(["created tree/a", "modified tree/a"])
        try await eventually("it is saved again") {
            _ = try reader.watcher.saveChanges()
            return inode() != first
        }
    }

    /// A position may be stored when the table has it, however long that takes to save.
    @Test(arguments: [true, false]) func positionIsNotLaterThanTheTable(isUrgent: Bool) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        for number in 0..<1000 { folder.write("tree/\(number)") }
        let saved = BytePath(folder("saved"))
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        try first.watcher.save(to: saved)
        folder.write("tree/a")
        try await first.tells(["created tree/a", "modified tree/a"])
        if isUrgent {
            #expect(try first.watcher.saveChanges(isUrgent: true) == nil)
        } else {
            try await eventually("it is saved") { try first.watcher.saveChanges() == nil }
        }
        first.watcher.die()
        let position = first.told.value.last?.position
        for found in [FileHandover(savedAt: saved), handover] {
            let second = try await Reader(folder, found, after: position)
            second.watcher.finishResuming()
            try await eventually("it has caught up") { second.caughtUp.value == 1 }
            #expect(second.lines.isEmpty)
            second.watcher.die()
        }
    }

    @Test func logIsBounded() {
        var log = FileLog(id: 7)
        let change = FileChange(.created, "/a")
        for number in 1...FileLog.most + 5 as ClosedRange<Int> {
            #expect(log.add(change, identity: "\(number)").name == "\(number)")
        }
        #expect(log.all.count == FileLog.most && log.all.first?.number == 6)
        log.forget(upTo: UInt64(FileLog.most))
        #expect(log.all.map(\.number) == (1...5).map { UInt64(FileLog.most + $0) })
        #expect(log.add(change, identity: "x").name == "x" && log.add(change, identity: "x").name == "x:1")
        log.forget(upTo: .max)
        #expect(log.all.isEmpty && log.position.number == UInt64(FileLog.most + 7))
    }
}
