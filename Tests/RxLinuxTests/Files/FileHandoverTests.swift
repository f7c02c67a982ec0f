import CLinux
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Successive watchers, each with the state that the one before has left.
@Suite(.balanced, .serialized) struct FileHandoverTests {
    enum End: CaseIterable {
        case stopped
        /// Killed when the snapshot was up to date.
        case killedAtRest
        /// Killed when the snapshot may have been outdated, but everything read had been emitted.
        case killed
    }

    /// Changes before, after, and while no process watches: each is emitted once, by one process or the other.
    @Test(arguments: [End.stopped, .killedAtRest]) func everyChangeIsEmittedOnceAcrossProcesses(end: End) async throws {
        let folder = Folder()
        folder.makeDirectory("d/e")
        var received: [String] = []
        var expected: [String] = []
        var before: FileHandover?
        for generation in 0..<6 {
            let watching = try await Watching(folder, watcher: FileWatcher(resuming: before))
            #expect(watching.watcher.isResumed == (generation > 0))
            let handover = try watching.watcher.handover()
            watching.watcher.finishResuming()
            expected += change(folder, "\(generation)")
            let soFar = expected.count - received.count
            try await eventually("\(expected) is received, not \(received + watching.lines)") {
                watching.lines.count >= soFar
            }
            try await finish(watching.watcher, end)
            expected += change(folder, "\(generation) away")
            received += watching.lines
            before = handover
        }
        let last = try await Watching(folder, watcher: FileWatcher(resuming: before))
        last.watcher.finishResuming()
        try await last.receives(Array(expected.dropFirst(received.count)))
        #expect(received == Array(expected.prefix(received.count)))
    }

    private func finish(_ watcher: FileWatcher, _ end: End) async throws {
        switch end {
        case .stopped: watcher.stop()
        case .killedAtRest:
            try await eventually("the snapshot is up to date") { watcher.simulateCrashIfSnapshotIsCurrent() }
        case .killed: try await eventually("every event is handled") { watcher.simulateCrashIfAllEventsAreHandled() }
        }
    }

    /// Makes some changes, and returns them.
    private func change(_ folder: Folder, _ name: String) -> [String] {
        folder.write("d/\(name)")
        folder.append("d/\(name)", "more")
        folder.rename("d/\(name)", "d/e/\(name)")
        folder.write("short \(name)")
        folder.remove("short \(name)")
        folder.rename("d/e", "d/f")
        folder.append("d/f/\(name)", "more")
        folder.rename("d/f", "d/e")
        return [
            "created d/\(name)", "modified d/\(name)", "modified d/\(name)", "moved d/e/\(name) < d/\(name)",
            "created short \(name)", "modified short \(name)", "removed short \(name)", "moved d/f/ < d/e",
            "modified d/f/\(name)", "moved d/e/ < d/f",
        ]
    }

    /// The final view equals the tree, even if a watcher stops or dies between the two halves of a move.
    @Test(arguments: End.allCases, 0..<4) func viewEqualsTreeAcrossProcesses(end: End, run: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        let folder = Folder()
        folder.makeDirectory("tree")
        var tree = RandomTree(folder("tree"))
        for _ in 0..<30 { tree.change(&random) }
        let view = View(tree.walk(), root: folder("tree"))
        var received: [FileChange] = []
        var before: FileHandover?
        for _ in 0..<8 {
            // Room for few events, so that it stops between any two.
            let watcher = FileWatcher(resuming: before, bufferSize: 300)
            let watching = try await Watching(folder, ["tree"], watcher: watcher)
            before = try watcher.handover()
            watcher.finishResuming()
            for _ in 0..<Int.random(in: 0..<60, using: &random) { tree.change(&random) }
            try await finish(watcher, end)
            for _ in 0..<Int.random(in: 0..<60, using: &random) { tree.change(&random) }
            received += watching.all
        }
        let last = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: before))
        last.watcher.finishResuming()
        let earlier = received
        try await eventually("seed \(seed): \(view.difference(to: tree.walk(), after: earlier + last.all))") {
            view.after(earlier + last.all) == tree.walk()
        }
    }

    @Test func nextProcessResumesKilledProcess() async throws {
        let folder = Folder()
        let server = try Datagrams(folder("socket"))
        folder.makeDirectory("tree/d")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let watcher = FileWatcher()
            let isArmed = Cell(false)
            let request = FileRequest([BytePath(path + "/tree")], recursive: true)
            let subscription = watcher.changes(request, onArmed: { isArmed.update { $0 = true } })
                .subscribe(onNext: { _ in })
            try await eventually("it is armed") { isArmed.value }
            let handover = try watcher.handover()
            try Datagrams.send(handover.descriptors.values.flatMap(\.self), to: path + "/socket")
            // There is no time to emit the changes that happen now.
            watcher.queueForTests.suspend()
            rename(path + "/tree/d", path + "/tree/e")
            mkdir(path + "/tree/e/new", 0o700)
            withExtendedLifetime(subscription) { _ = kill(getpid(), SIGKILL) }
        }
        let handover = try #require(FileHandover(taking: server.receive()))
        let watching = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: handover))
        #expect(watching.watcher.isResumed)
        watching.watcher.finishResuming()
        let expected = ["moved tree/e/ < tree/d", "created tree/e/new/"]
        try await eventually("\(watching.lines)") { watching.lines == expected }
    }

    @Test func savedSnapshotAloneEmitsDifferences() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        for name in ["same", "written", "removed"] { folder.write("tree/d/\(name)") }
        let file = BytePath(folder("saved"))
        do {
            let watching = try await Watching(folder, ["tree", "single"])
            try watching.watcher.save(to: file)
        }
        folder.write("tree/d/written", "another")
        folder.remove("tree/d/removed")
        folder.write("tree/d/new")
        folder.makeDirectory("tree/e")
        folder.write("single")
        let handover = try #require(FileHandover(savedAt: file))
        let watching = try await Watching(folder, ["tree", "single"], watcher: FileWatcher(resuming: handover))
        watching.watcher.finishResuming()
        #expect(!watching.watcher.isResumed)
        let expected: Set = [
            "synthetic modified tree/d/written", "synthetic removed tree/d/removed", "synthetic created tree/d/new",
            "synthetic created tree/e/", "created single",
        ]
        #expect(Set(watching.lines) == expected)
        #expect(watching.lines.count == expected.count)
        folder.write("tree/e/later")
        try await eventually("\(watching.lines)") { watching.lines.contains("created tree/e/later") }
    }

    @Test func unrequestedRootsAreReleased() async throws {
        let folder = Folder()
        folder.makeDirectory("one/a/b")
        folder.makeDirectory("two/a")
        let first = FileWatcher()
        let handover = try first.handover()
        do {
            let watching = (
                try await Watching(folder, ["one"], watcher: first), try await Watching(folder, ["two"], watcher: first)
            )
            first.stop()
            withExtendedLifetime(watching) {}
        }
        let second = FileWatcher(resuming: handover)
        let atFirst = second.watchCount
        let two = try await Watching(folder, ["two"], watcher: second)
        let other = try await Watching(folder, ["two/a"], watcher: second)
        #expect(second.watchCount == atFirst)
        second.finishResuming()
        folder.write("one/a/f")
        folder.write("two/a/f")
        try await eventually("\(two.lines)") { two.lines == ["created two/a/f", "modified two/a/f"] }
        try await eventually("\(other.lines)") { other.lines == two.lines }
        #expect(second.watchCount == atFirst - 3)
    }

    /// From an outdated snapshot the other watches are unknown.
    @Test func unknownWatchesAreReleased() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        let first = FileWatcher()
        let handover = try first.handover()
        do {
            let watching = try await Watching(folder, ["tree"], watcher: first)
            try await eventually("the snapshot is up to date") {
                WatchSnapshot.read(handover.snapshot)?.isStale == false
            }
            first.holdSnapshot()
            for index in 0..<20 { folder.makeDirectory("tree/new/\(index)") }
            try await eventually("all are watched") { first.watchCount >= 22 }
            first.simulateCrash()
            withExtendedLifetime(watching) {}
        }
        folder.rename("tree/new", "elsewhere")
        let second = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: handover))
        #expect(second.watcher.isResumed)
        second.watcher.finishResuming()
        try await eventually("\(second.lines)") { second.lines == ["synthetic removed tree/new/"] }
        // Those of the watcher, and the snapshot's.
        let information = try String(contentsOfFile: "/proc/self/fdinfo/\(handover.inotify)", encoding: .utf8)
        let watches = information.split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
        #expect(watches == second.watcher.watchCount + 1)
    }

    /// The fate of a directory that is in no snapshot, and of its contents, while no process watches. The kernel's
    /// reports on it cannot be distinguished from those on another directory that exists in the end.
    enum Fate: CaseIterable {
        case replaced, replacedAndMoved, movedAndFollowed
    }

    @Test(arguments: Fate.allCases) func directoryMissingInSnapshot(fate: Fate) async throws {
        let folder = Folder()
        folder.makeDirectory("tree/other/d")
        let first = FileWatcher()
        let handover = try first.handover()
        var received: [FileChange] = []
        do {
            let watching = try await Watching(folder, ["tree"], watcher: first)
            try await eventually("the snapshot is up to date") {
                WatchSnapshot.read(handover.snapshot)?.isStale == false
            }
            first.holdSnapshot()
            folder.makeDirectory("tree/new/a/b")
            try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("new/a/b/") } }
            first.simulateCrash()
            received = watching.all
        }
        if fate == .movedAndFollowed {
            folder.rename("tree/new", "tree/last")
            folder.remove("tree/last/a")
            folder.makeDirectory("tree/new/c")
        } else {
            folder.remove("tree/new/a")
            folder.rename("tree/other", "tree/new")
            if fate == .replacedAndMoved { folder.rename("tree/new", "tree/last") }
        }
        let second = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: handover))
        second.watcher.finishResuming()
        let (view, tree) = (View(["other/", "other/d/"], root: folder("tree")), RandomTree(folder("tree")))
        try await eventually("\(second.lines)") { view.after(received + second.all) == tree.walk() }
    }

    @Test func pendingChangesAreEmittedByNextProcess() async throws {
        let folder = Folder()
        // Longer than the first process runs from the change on, also on a busy machine.
        let settle: (inout FileRequest) -> Void = { $0.settle = .seconds(4) }
        let first = try await Watching(folder, adjust: settle)
        let handover = try first.watcher.handover()
        folder.write("a")
        try await eventually("the snapshot is up to date") { WatchSnapshot.read(handover.snapshot)?.isStale == false }
        first.watcher.stop()
        folder.append("a", "more")
        let second = try await Watching(folder, watcher: FileWatcher(resuming: handover), adjust: settle)
        second.watcher.finishResuming()
        try await second.receives(["created a"])
        #expect(first.lines.isEmpty)
    }

    @Test func nothingIsWatchedAfterStop() async throws {
        let folder = Folder()
        let watching = try await Watching(folder)
        watching.watcher.stop()
        let error = Cell<(any Error)?>(nil)
        let subscription = watching.watcher.changes(FileRequest([BytePath(folder.path)]))
            .subscribe(onError: { failure in error.update { $0 = failure } })
        try await eventually("it fails") { (error.value as? SystemError)?.number == ESHUTDOWN }
        subscription.dispose()
        #expect(throws: SystemError.self) { try watching.watcher.handover() }
    }

    /// ``FileWatcher/finishResuming()`` is not called, and the wait for others ends.
    @Test func waitForOtherSubscribersIsLimited() async throws {
        let folder = Folder()
        let handover: FileHandover
        do {
            let first = try await Watching(folder)
            handover = try first.watcher.handover()
            first.watcher.stop()
        }
        folder.write("a")
        let second = try await Watching(
            folder, watcher: FileWatcher(resuming: handover, subscribeTimeout: .milliseconds(50)))
        try await eventually("\(second.lines)") { second.lines == ["created a", "modified a"] }
    }
}

/// A socket that receives descriptors.
private struct Datagrams: ~Copyable {
    private let socket: Descriptor

    init(_ path: String) throws {
        let made = try Descriptor(Glibc.socket(AF_UNIX, rx_socket_datagram | rx_socket_cloexec, 0), "making a socket")
        let number = made.number
        _ = try Self.named(path) { bind(number, $0, $1) }
        socket = made
    }

    static func send(_ descriptors: [Int32], to path: String) throws {
        let socket = try Descriptor(Glibc.socket(AF_UNIX, rx_socket_datagram | rx_socket_cloexec, 0), "making a socket")
        _ = try named(path) { connect(socket.number, $0, $1) }
        for descriptor in descriptors { _ = rx_send_descriptor(socket.number, descriptor) }
    }

    func receive() -> [Int32] {
        var received: [Int32] = []
        while true {
            var descriptors = [Int32](repeating: -1, count: 4)
            var count = descriptors.count
            var byte: UInt8 = 0
            guard rx_receive(socket.number, &byte, 1, &descriptors, &count) >= 0 else { return received }
            received += descriptors.prefix(count)
        }
    }

    private static func named(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard status == 0 else { throw SystemError.last("naming a socket") }
        return status
    }
}
