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
        /// What it had been told when it caught up first.
        let toldBefore = Box<[Told]?>(nil)
        let suspended = Box<[Int]>([])
        /// Of the changes that it has not processed.
        let slots = Box<[FileSlot]>([])
        private let subscription: any Disposable

        init(
            _ folder: Folder, _ handover: FileHandover? = nil, after position: FilePosition? = nil,
            settle: Duration = .zero, limit: Int = .max, beside other: Reader? = nil
        ) async throws {
            watcher = other?.watcher ?? FileWatcher(resuming: handover)
            let isArmed = Box(false)
            let request = FileRequest([BytePath(folder("tree"))], recursive: true, settle: settle)
            subscription = watcher.readings(
                request, after: position, limit: limit, onArmed: { isArmed.update { $0 = true } }
            )
            .subscribe(onNext: { [told, started, caughtUp, toldBefore, suspended, slots] reading in
                switch reading {
                case .started(let position): started.update { $0 = position }
                case .caughtUp:
                    let before = told.value
                    toldBefore.update { $0 = $0 ?? before }
                    caughtUp.update { $0 += 1 }
                case .suspended(let count): suspended.append(count)
                case .change(let change, let name, let position, let slot):
                    told.append(Told(line: folder.line(change), name: name, position: position))
                    if let slot { slots.append(slot) }
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

        /// Processes what it was told until all of these files were told as created, and waits for a line with this
        /// end.
        func goesOn(_ files: [String], and line: String? = nil) async throws {
            let all = Set(files)
            try await eventually("\(all.count) files, not \(self.created.count)") {
                slots.update { $0 = [] }
                return Set(self.created).isSuperset(of: all)
                    && (line.map { line in self.lines.contains { $0.hasSuffix(line) } } ?? true)
            }
        }

        var created: [String] {
            told.value.map(\.line).filter { $0.contains("created ") }.map {
                String($0.split(separator: " ")[$0.hasPrefix("s") ? 2 : 1])
            }
        }

        func dies() async throws {
            try await eventually("the snapshot is up to date") { watcher.dieAtRest() }
        }
    }

    /// The snapshot is newer than what the subscriber has stored.
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

        // A position that is later than the snapshot's, and one of another log.
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

    /// The snapshot is older than what was told: what is found again has the name that it had.
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
        second.watcher.finishResuming()
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
        second.watcher.finishResuming()
        try await eventually("it has") { second.caughtUp.value == 1 }
        #expect(second.toldBefore.value?.map(\.line) == ["synthetic created tree/a"])
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

    /// A position may be stored when the snapshot has it, however long that takes to save.
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

    /// A file that was moved away and back is created once more, also while nobody watches.
    @Test func fileThatIsMovedBackHasAnotherName() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let first = try await Reader(folder)
        let handover = try first.watcher.handover()
        folder.write("tree/a")
        try await first.tells(["created tree/a", "modified tree/a"])
        folder.rename("tree/a", "a")
        try await first.tells(["created tree/a", "modified tree/a", "removed tree/a"])
        let told = first.told.value
        try await first.dies()
        folder.rename("a", "tree/a")

        let second = try await Reader(folder, handover, after: told.last?.position)
        second.watcher.finishResuming()
        try await second.tells(["created tree/a"])
        #expect(second.told.value.first?.name != told.first?.name)
    }

    // MARK: - Back-pressure

    private static let files = (0..<60).map { "tree/\($0)" }

    /// A reader that is told ten changes and processes none, and files that it is not told of.
    private func stalledReader(_ folder: Folder, settle: Duration = .zero) async throws -> Reader {
        folder.makeDirectory("tree/old")
        let reader = try await Reader(folder, settle: settle, limit: 10)
        for name in Self.files { folder.write(name) }
        try await eventually("it is told that there is no room") { reader.suspended.value.first == 10 }
        return reader
    }

    @Test(arguments: [0, 5]) func changesBeyondTheLimitAreFoundByComparing(settle: Int) async throws {
        let folder = Folder()
        let reader = try await stalledReader(folder, settle: .milliseconds(settle))
        folder.remove("tree/old")
        folder.write("tree/late")
        try await reader.goesOn(Self.files + ["tree/late"], and: "removed tree/old/")
        #expect(reader.created.sorted() == (Self.files + ["tree/late"]).sorted())
        // Nothing is left out any more.
        folder.makeDirectory("tree/new")
        try await reader.goesOn(["tree/new/"])
        folder.write("tree/new/a")
        try await reader.goesOn(["tree/new/a"])
        #expect(reader.suspended.value.first == 10 && Set(reader.created).count == reader.created.count)
    }

    /// What one look finds is not told all at once.
    @Test func walkStopsAtTheLimit() async throws {
        let folder = Folder()
        for number in 0..<20 { folder.makeDirectory("other/\(number)") }
        for name in Self.files { folder.write("other/\(name.dropFirst(5).last ?? "0")/\(name.dropFirst(5))") }
        folder.makeDirectory("tree")
        let reader = try await Reader(folder, limit: 10)
        folder.rename("other", "tree/other")
        try await eventually("it is told that there is no room") { reader.suspended.value == [10] }
        #expect(reader.lines.count == 10)
        let all = folder.contents.filter { $0 != "tree/" }
        try await reader.goesOn(Array(all))
        #expect(reader.created.sorted() == all.sorted() && reader.lines.allSatisfy { !$0.contains("removed") })
    }

    @Test func nextProcessFindsWhatWasLeftOut() async throws {
        let folder = Folder()
        let saved = BytePath(folder("saved"))
        for isPair in [true, false] {
            let first = try await stalledReader(folder)
            let handover = try first.watcher.handover()
            try first.watcher.save(to: saved)
            try await first.dies()
            let second = try await Reader(
                folder, isPair ? handover : FileHandover(savedAt: saved), after: first.told.value.last?.position,
                limit: 20)
            second.watcher.finishResuming()
            let rest = Self.files.filter { !first.created.contains($0) }
            #expect(!rest.isEmpty && second.caughtUp.value == 0)
            try await second.goesOn(rest)
            try await eventually("it has caught up, once") { second.caughtUp.value == 1 }
            #expect(second.created.sorted() == rest.sorted())
            for name in Self.files { folder.remove(name) }
        }
    }

    /// As when a reload changes the source.
    @Test func replacingReaderFindsWhatWasLeftOut() async throws {
        let folder = Folder()
        let first = try await stalledReader(folder)
        let position = first.told.value.last?.position
        do {
            let second = try await Reader(folder, after: position, limit: 1000, beside: first)
            try await second.goesOn(Self.files.filter { !first.created.contains($0) })
            // It has been told to the second, and is not to the first.
            first.slots.update { $0 = [] }
            #expect(first.created.count < 60 && Set(first.created).isDisjoint(with: second.created))
        }
        // The second was given up.
        try await first.goesOn(Self.files)
        #expect(first.created.count == 60)
    }

    @Test func acknowledgedLogIsFull() {
        var log = FileLog()
        let change = FileChange(.created, "/a")
        for number in 0..<FileLog.most { _ = log.add(change, identity: "\(number)") }
        #expect(!log.isFull)
        log.acknowledge(upTo: 0)
        #expect(log.isFull && !log.isHalfFree)
        log.acknowledge(upTo: UInt64(FileLog.most / 2))
        #expect(!log.isFull && log.isHalfFree)
    }

    /// As at the start, where the first save and that of the first snapshot are made by different threads.
    @Test func savesAtTheSameTimeDoNotDisturbEachOther() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let saved = BytePath(folder("saved"))
        let reader = try await Reader(folder)
        let failures = Box<[String]>([])
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
    @Test func tableThatWasNotPlacedCountsAsUnsaved() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        folder.makeDirectory("saved")
        folder.write("saved/in-the-way")
        let reader = try await Reader(folder)
        #expect(throws: SystemError.self) { try reader.watcher.save(to: BytePath(folder("saved"))) }
        #expect(!FileManager.default.fileExists(atPath: folder("saved.new")))
        try await eventually("it is tried again") {
            do {
                _ = try reader.watcher.saveChanges()
                return false
            } catch {
                return true
            }
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
