import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// A subscriber that replaces another with a different request, as when a reload changes a source: nothing is lost in
/// between, and nothing is emitted twice under different names.
@Suite(.balanced, .serialized) struct FileReplacingTests {
    private typealias Reader = FileReader

    private let folder = Folder()
    private let watcher = FileWatcher()

    init() {
        folder.makeDirectory("tree")
    }

    private func reader(
        after position: FilePosition? = nil, _ adjust: (inout FileRequest) -> Void = { _ in }
    ) async throws -> Reader {
        try await Reader(folder, watcher, after: position, adjust)
    }

    /// Unsettled changes are taken over, and settle as the new request says.
    @Test(arguments: [Duration.zero, .milliseconds(5)]) func pendingChangesAreEmittedByReplacingRun(
        settle: Duration
    ) async throws {
        let beside = try await reader()
        let first = try await reader { $0.settle = .seconds(600) }
        folder.write("tree/a")
        folder.makeDirectory("tree/d")
        try await eventually("the change was read") { beside.lines.contains("created tree/d/") }
        let second = try await reader(after: first.started.value) { $0.settle = settle }
        try await second.receives(["created tree/a", "created tree/d/"])
        folder.remove("tree/a")
        try await second.receives(["created tree/a", "created tree/d/", "removed tree/a"])
        #expect(first.lines.isEmpty)
    }

    /// Nothing reports a write to a file that was open when the old subscriber ended.
    @Test func fileOpenDuringReplacementIsEmitted() async throws {
        folder.write("tree/log")
        let first = try await reader()
        let file = try #require(fopen(folder("tree/log"), "a"))
        fputs("line\n", file)
        fflush(file)
        // The write has been read when this has been read.
        folder.makeDirectory("tree/d")
        try await first.receives(["created tree/d/"])
        let second = try await reader(after: first.received.value.last?.position) { $0.include = [Glob("log")] }
        try await second.receives(["modified tree/log"])
        fclose(file)
    }

    /// The replaced subscriber may not have received the last changes.
    @Test func changesAfterPositionAreEmittedAgain() async throws {
        let first = try await reader()
        folder.write("tree/a")
        folder.remove("tree/a")
        folder.makeDirectory("tree/b")
        try await first.receives(["created tree/a", "modified tree/a", "removed tree/a", "created tree/b/"])
        let received = first.received.value
        let second = try await reader(after: received[0].position) { $0.kinds.insert(.attributes) }
        try await second.receives(Array(first.lines.dropFirst()))
        #expect(second.received.value.map(\.name) == received.dropFirst().map(\.name))
    }

    /// A reload that fails leaves everything to the old subscriber.
    @Test func firstContinuesWhenSecondIsCancelled() async throws {
        let first = try await reader()
        folder.makeDirectory("tree/a")
        try await first.receives(["created tree/a/"])
        do {
            let second = try await reader(after: first.received.value.last?.position) { $0.settle = .milliseconds(1) }
            folder.makeDirectory("tree/b")
            try await second.receives(["created tree/b/"])
            #expect(first.lines == ["created tree/a/"])
        }
        try await first.receives(["created tree/a/", "created tree/b/"])
        folder.makeDirectory("tree/c")
        try await first.receives(["created tree/a/", "created tree/b/", "created tree/c/"])
    }

    /// If the new request watches in another way, existing files are found by looking, and pending changes are emitted.
    @Test func changedWatchingMethodLosesNothing() async throws {
        let beside = try await reader()
        let first = try await reader { $0.settle = .seconds(600) }
        folder.makeDirectory("tree/a")
        try await eventually("the change was read") { beside.lines == ["created tree/a/"] }
        let second = try await reader(after: first.started.value) { $0.recursive = false }
        folder.makeDirectory("tree/a/inner")
        folder.makeDirectory("tree/b")
        try await second.receives(["created tree/a/", "created tree/b/"])
    }

    /// As 40 reloads do while files are created.
    @Test func manyReplacementsLoseNothing() async throws {
        let names = Cell<Set<String>>([])
        let files = Cell<Set<String>>([])
        var current = try await reader()
        let count = 1_550
        let isDone = Cell(false)
        let writing = Task.detached { [folder] in
            for number in 0..<count {
                folder.write("tree/\(number)")
                if number.isMultiple(of: 10) { await Task.yield() }
            }
            isDone.update { $0 = true }
        }
        var round = 0
        while !isDone.value || round < 40 {
            round += 1
            // Its position is that of the last received change; later changes are in its queue.
            let received = current.received.value.count
            let position = received == 0 ? current.started.value : current.received.value[received - 1].position
            let span = Duration.milliseconds(round % 3)
            let next = try await reader(after: position) { $0.settle = span }
            let changes = current.received.value.prefix(received)
            for one in changes where names.value.contains(one.name) == false {
                names.update { $0.insert(one.name) }
                if one.line.contains("created ") { files.update { $0.insert(one.line) } }
            }
            current = next
        }
        await writing.value
        try await eventually("\(count - files.value.count) are missing") {
            for one in current.received.value where one.line.contains("created ") {
                files.update { $0.insert(one.line) }
            }
            return files.value.count == count
        }
    }

    /// The configuration was edited while no process ran.
    @Test func nextProcessWithOtherRequestEmitsDifferences() async throws {
        folder.write("tree/gone")
        let saved = BytePath(folder("saved"))
        let first = try await reader()
        let handover = try watcher.handover()
        folder.makeDirectory("tree/a")
        try await first.receives(["created tree/a/"])
        try watcher.save(to: saved)
        try await eventually("the snapshot is up to date") { watcher.simulateCrashIfSnapshotIsCurrent() }
        folder.remove("tree/gone")
        for before in [FileHandover(savedAt: saved), handover] {
            let next = FileWatcher(resuming: before)
            let second = try await Reader(folder, next, after: first.started.value) { $0.settle = .milliseconds(1) }
            next.finishResuming()
            // The first was emitted, and its position was not stored.
            try await eventually("\(second.lines)") {
                second.lines.first == "created tree/a/" && second.lines.last?.hasSuffix("removed tree/gone") == true
            }
            next.simulateCrash()
        }
    }
}
