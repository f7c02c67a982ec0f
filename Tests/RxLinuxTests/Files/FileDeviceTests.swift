import Dispatch
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Local file systems other than that of the root directory: each has a queue of its own, and a state of its own for the
/// next process.
@Suite(.balanced, .serialized, SilentMount.condition) struct FileDeviceTests {
    private let folder = Folder()
    private let saved: BytePath

    init() {
        for name in ["disk", "tree"] { folder.makeDirectory(name) }
        saved = BytePath(folder("saved"))
    }

    /// Counts FUSE and overlays as disks.
    private static func kind(_ type: String) -> MountKind {
        ["fuse", "overlay"].contains(type) ? .disk : MountKind(type: type)
    }

    private func watcher(_ before: FileHandover? = nil) -> FileWatcher {
        let watcher = FileWatcher(resuming: before, savingTo: saved)
        watcher.setKindOfMount(Self.kind)
        return watcher
    }

    /// One process, with a subscriber to the disk and one to the file system of the root directory.
    private struct Process {
        let watcher: FileWatcher
        let disk: FileReader
        let tree: FileReader

        /// The positions that are stored when it ends.
        var positions: [FilePosition?] { [disk.position, tree.position] }
    }

    private func process(_ watcher: FileWatcher, after positions: [FilePosition?] = [nil, nil]) async throws -> Process
    {
        let disk = try await FileReader(folder, watcher, after: positions[0]) { [folder] in
            $0.paths = [BytePath(folder("disk"))]
        }
        let tree = try await FileReader(folder, watcher, after: positions[1])
        watcher.finishResuming()
        return Process(watcher: watcher, disk: disk, tree: tree)
    }

    /// Passes the descriptors on, as the service manager does.
    private func passed(_ handover: FileHandover) -> FileHandover? {
        FileHandover(taking: handover.descriptors.mapValues { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } })
    }

    enum End: CaseIterable { case stopped, killedAtRest }

    private func finish(_ watcher: FileWatcher, _ end: End) async throws {
        switch end {
        case .stopped: watcher.stop()
        case .killedAtRest:
            try await eventually("the snapshots are up to date") { watcher.simulateCrashIfSnapshotIsCurrent() }
        }
    }

    /// Every change is emitted once, also a short-lived file and a move, which a comparison would not find.
    @Test(arguments: End.allCases) func everyChangeIsEmittedOnceAcrossProcesses(end: End) async throws {
        let mount = try OverlayMount(folder("disk"))
        var before: FileHandover?
        var positions: [FilePosition?] = [nil, nil]
        for generation in 0..<4 {
            let process = try await process(watcher(before), after: positions)
            #expect(process.watcher.isResumed == (generation > 0))
            before = passed(try process.watcher.handover())
            #expect(before?.descriptors.values.map(\.count) == [2, 2])
            if generation > 0 {
                let name = "\(generation - 1)"
                let lines = [
                    "created \(name)", "modified \(name)", "moved \(name)b < \(name)", "created short\(name)",
                    "modified short\(name)", "removed short\(name)",
                ]
                try await process.disk.receives(lines.map { line(of: $0, in: "disk") })
                try await process.tree.receives(lines.map { line(of: $0, in: "tree") })
            }
            positions = process.positions
            try await finish(process.watcher, end)
            for place in ["disk", "tree"] {
                folder.write("\(place)/\(generation)")
                folder.rename("\(place)/\(generation)", "\(place)/\(generation)b")
                folder.write("\(place)/short\(generation)")
                folder.remove("\(place)/short\(generation)")
            }
        }
        mount.end()
    }

    /// A line with the names in a directory.
    private func line(of line: String, in place: String) -> String {
        let words = line.split(separator: " ")
        return ([words[0]] + words.dropFirst().map { $0 == "<" ? $0 : "\(place)/\($0)" }).joined(separator: " ")
    }

    /// The way in which the state of the previous process is found.
    enum Found: CaseIterable {
        /// It had one queue for all file systems, as versions before this one.
        case ofOneQueue, ofOneQueueSaved
        /// Only the snapshots in the state directory.
        case saved
        /// The disk is a part of the root directory's file system by now.
        case ofUnmountedDisk, ofUnmountedDiskSaved
    }

    /// Changes between two processes are found on both file systems, under positions that continue.
    @Test(arguments: Found.allCases) func changesBetweenProcessesAreFound(found: Found) async throws {
        let mount = try OverlayMount(folder("disk"))
        let isOneQueue = found == .ofOneQueue || found == .ofOneQueueSaved
        let isUnmounted = found == .ofUnmountedDisk || found == .ofUnmountedDiskSaved
        for place in ["disk", "tree"] { folder.write("\(place)/old") }
        let first = watcher()
        if isOneQueue { first.setKindOfMount { _ in .memory } }
        var before: FileHandover?
        var positions: [FilePosition?] = []
        do {
            let process = try await process(first)
            before = passed(try first.handover())
            #expect(before?.others.count == (isOneQueue ? 0 : 1))
            try first.save(to: saved)
            for place in ["disk", "tree"] { folder.write("\(place)/a") }
            try await process.disk.receives(["created disk/a", "modified disk/a"])
            try await process.tree.receives(["created tree/a", "modified tree/a"])
            positions = process.positions
            first.stop()
            try first.save(to: saved)
        }
        if found == .saved || found == .ofOneQueueSaved || found == .ofUnmountedDiskSaved {
            before = FileHandover(savedAt: saved)
        }
        if isUnmounted { mount.end() }
        for place in ["disk", "tree"] {
            folder.write("\(place)/b")
            folder.remove("\(place)/old")
        }
        let second = try await process(watcher(before), after: positions)
        func lines(_ reader: FileReader) -> Set<String> {
            Set(reader.lines.filter { !$0.contains("modified") }.map { String($0.trimmingPrefix("synthetic ")) })
        }
        let gone = isUnmounted ? ["removed disk/a"] : []
        try await eventually("\(second.disk.lines)") {
            lines(second.disk) == Set(["created disk/b", "removed disk/old"] + gone)
        }
        try await eventually("\(second.tree.lines)") { lines(second.tree) == ["created tree/b", "removed tree/old"] }
        let numbers = second.disk.received.value.map(\.position.number)
        #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 > positions[0]?.number ?? .max })
        #expect(second.disk.received.value.allSatisfy { $0.position.log == positions[0]?.log })
        #expect(second.tree.received.value.allSatisfy { $0.position.log == positions[1]?.log })
        // The next process has all of it in the queues and snapshots of this one.
        before = passed(try second.watcher.handover())
        #expect(before?.others.count == (isUnmounted ? 0 : 1))
        positions = second.positions
        second.watcher.stop()
        let third = try await process(watcher(before), after: positions)
        #expect(third.watcher.isResumed)
        for place in ["disk", "tree"] { folder.makeDirectory("\(place)/c") }
        try await third.disk.receives(["created disk/c/"])
        try await third.tree.receives(["created tree/c/"])
        mount.end()
    }

    @Test func diskIsNotWatchedAfterStop() async throws {
        let mount = try OverlayMount(folder("disk"))
        let watcher = watcher()
        watcher.stop()
        let error = Cell<(any Error)?>(nil)
        let subscription = watcher.changes(FileRequest([BytePath(folder("disk"))]))
            .subscribe(onError: { failure in error.update { $0 = failure } })
        try await eventually("it fails") { (error.value as? SystemError)?.number == ESHUTDOWN }
        subscription.dispose()
        mount.end()
    }

    /// A disk that does not answer delays neither other paths, nor the start, nor a save, nor the stop, and the next
    /// process has its state.
    @Test(arguments: End.allCases) func hungDiskDelaysNothingElse(end: End) async throws {
        let mount = try OverlayMount(folder("disk"))
        folder.write("disk/old")
        var before: FileHandover?
        var positions: [FilePosition?] = []
        do {
            let process = try await process(watcher())
            before = passed(try process.watcher.handover())
            positions = process.positions
            try process.watcher.save(to: saved)
            try await finish(process.watcher, end)
        }
        folder.remove("disk/old")
        folder.write("disk/new")
        mount.end()
        let hung = try SilentMount(folder("disk"))
        var ended: FileWatcher?
        do {
            let watcher = watcher(before)
            let (isArmed, notices) = (Cell(false), Cell<[FileNotice]>([]))
            let subscription = watcher.readings(
                FileRequest([BytePath(folder("disk"))], recursive: true), after: positions[0],
                onArmed: { isArmed.update { $0 = true } }, onNotice: { notices.append($0) }
            ).subscribe(onNext: { _ in })
            let tree = try await FileReader(folder, watcher, after: positions[1])
            folder.makeDirectory("tree/a")
            try await eventually("the start continues") { isArmed.value }
            #expect(notices.value == [.unanswered(BytePath(folder("disk")))])
            watcher.finishResuming()
            try await tree.receives(["created tree/a/"])
            let start = ContinuousClock.now
            before = passed(try watcher.handover())
            #expect(before?.others.count == 1)
            for _ in 0..<10 { _ = try watcher.saveChanges(isUrgent: true) }
            try watcher.save(to: saved)
            if end == .stopped { watcher.stop() } else { try watcher.save(to: saved) }
            #expect(ContinuousClock.now - start < .seconds(6))
            positions[1] = tree.position
            // The process ends, and with it the work that is blocked.
            ended = watcher
            for queue in watcher.otherQueuesForTests { queue.suspend() }
            subscription.dispose()
            hung.end()
            watcher.simulateCrash()
        }
        try mount.mount()
        let last = try await process(watcher(before), after: positions)
        try await eventually("\(last.disk.lines)") {
            Set(last.disk.lines.map { String($0.trimmingPrefix("synthetic ")) })
                .isSuperset(of: ["removed disk/old", "created disk/new"])
        }
        mount.end()
        for queue in ended?.otherQueuesForTests ?? [] { queue.resume() }
        ended?.simulateCrash()
    }

    /// A run moves to the queue of a disk that is mounted while it is watched, and the new queue is stored for the next
    /// process.
    @Test func laterMountGetsQueueOfItsOwn() async throws {
        let process = try await process(watcher())
        let extensions = Cell(0)
        let subscription = process.watcher.handoverExtensions.subscribe(onNext: { extensions.update { $0 += 1 } })
        #expect(try process.watcher.handover().others.isEmpty)
        let mount = try OverlayMount(folder("disk"))
        try await eventually("there is another queue") { extensions.value == 1 }
        try await eventually("it is handed over") { try process.watcher.handover().others.count == 1 }
        folder.makeDirectory("disk/a")
        try await eventually("\(process.disk.lines)") { process.disk.lines.last == "created disk/a/" }
        try process.watcher.save(to: saved)
        func savedOthers() -> Set<String> {
            folder.contents.filter { $0.hasPrefix("saved.") && !$0.contains("changes") }
        }
        #expect(savedOthers().count == 1)
        // The run moves back, and nothing is left of the other queue.
        mount.end()
        try await eventually("\(process.disk.lines)") { process.disk.lines.last?.hasSuffix("removed disk/a/") == true }
        try await eventually("the queue has ended") {
            try process.watcher.save(to: saved)
            return savedOthers().isEmpty
        }
        #expect(try process.watcher.handover().others.isEmpty && folder.contents.count { $0.hasPrefix("saved.") } == 1)
        subscription.dispose()
    }

    /// A request for a path on one more disk, or one fewer, continues the run that it replaces: with the changes that its
    /// subscriber has not stored, those that have not settled, and those that nobody has read yet.
    @Test(arguments: [["tree"], ["tree", "disk"]]) func replacedRunOnOtherDisksLosesNothing(before: [String])
        async throws
    {
        let mount = try OverlayMount(folder("disk"))
        let watcher = watcher()
        func reader(_ paths: [String], after position: FilePosition? = nil) async throws -> FileReader {
            try await FileReader(folder, watcher, after: position) { [folder] in
                ($0.paths, $0.settle) = (paths.map { BytePath(folder($0)) }, .milliseconds(500))
            }
        }
        let first = try await reader(before)
        watcher.finishResuming()
        folder.makeDirectory("tree/stored")
        try await first.receives(["created tree/stored/"])
        let position = try #require(first.position)
        folder.makeDirectory("tree/emitted")
        try await first.receives(["created tree/stored/", "created tree/emitted/"])
        for number in 0..<20 { folder.write("tree/\(number)") }

        let second = try await reader(before == ["tree"] ? ["tree", "disk"] : ["tree"], after: position)
        let files = (0..<20).map { "created tree/\($0)" }
        try await eventually("\(second.lines)") { Set(second.lines).isSuperset(of: files) }
        folder.makeDirectory("tree/last")
        try await eventually("\(second.lines)") { second.lines.last?.hasSuffix("created tree/last/") == true }
        let lines = second.lines.filter { !$0.contains("modified") }.map { String($0.trimmingPrefix("synthetic ")) }
        #expect(lines.first == "created tree/emitted/" && lines.last == "created tree/last/")
        #expect(lines.dropFirst().dropLast().sorted() == files.sorted())
        #expect(second.received.value.first?.name == first.received.value.last { $0.line.contains("emitted") }?.name)
        #expect(second.received.value.allSatisfy { $0.position.log == position.log })
        #expect(!first.lines.contains { $0.contains("last") })
        mount.end()
    }

    /// A link to another disk is not followed, and one that is replaced on the way there is a change of the first.
    @Test func linksToOtherDisksAreNotFollowed() async throws {
        let mount = try OverlayMount(folder("disk"))
        mount.end()
        let hung = try SilentMount(folder("disk"))
        folder.link("tree/data", to: "../disk/1")
        folder.link("tree/file", to: "data/file")
        let tree = try await FileReader(folder, watcher()) { $0.exclude = [Glob("data"), Glob("new")] }
        folder.link("tree/new", to: "../disk/2")
        folder.rename("tree/new", "tree/data")
        try await tree.receives(["synthetic modified tree/file"])
        hung.end()
    }
}
