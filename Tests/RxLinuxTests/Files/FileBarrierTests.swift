import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Barriers, which follow all changes from before them.
@Suite(.balanced, .serialized) struct FileBarrierTests {
    /// What a reader had received when a barrier was passed; `nil` before that.
    private func barrier(_ reader: FileReader) -> Cell<[String]?> {
        let before = Cell<[String]?>(nil)
        reader.barriers.pass(
            SyncBarrier { [received = reader.received] in before.update { $0 = received.value.map(\.line) } })
        return before
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)]) func barrierFollowsChanges(settle: Duration) async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        folder.write("tree/old")
        let reader = try await FileReader(folder, FileWatcher()) { $0.settle = settle }
        for round in 1...20 {
            folder.write("tree/\(round)")
            folder.makeDirectory("tree/d/\(round)/e")
            folder.write("tree/d/\(round)/e/f")
            if round == 20 { folder.rename("tree/old", "away") }
            let before = barrier(reader)
            try await eventually("the barrier is passed") { before.value != nil }
            let lines = Set(before.value ?? [])
            #expect(lines.contains("created tree/\(round)") && lines.contains { $0.hasSuffix("tree/d/\(round)/e/f") })
            #expect(lines.contains("removed tree/old") == (round == 20))
        }
    }

    /// A file that keeps changing holds the barrier back, and so does the other stream with the same barriers.
    @Test func unsettledFileHoldsBarrierBack() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let watcher = FileWatcher()
        var reader: FileReader? = try await FileReader(folder, watcher) { $0.settle = .seconds(3600) }
        folder.write("tree/a")
        let all = BarrierStreams()
        let passed = Cell<Set<String>>([])
        func pass(_ name: String, _ barriers: BarrierStreams?) {
            barriers?.pass(SyncBarrier { passed.update { $0.insert(name) } })
        }
        let quick = try await FileReader(folder, watcher)
        pass("slow", reader?.barriers)
        pass("quick", quick.barriers)
        pass("none", all)
        #expect(passed.value.contains("none"))
        // Both runs are on one queue, so the slow one has had its barrier, too.
        try await eventually("the quick reader has its barrier") { passed.value.contains("quick") }
        #expect(!passed.value.contains("slow"))
        reader = nil
        try await eventually("the barrier is released") { passed.value.contains("slow") }
    }

    /// A cancelled barrier is released with the next change, whatever holds it back.
    @Test func cancelledBarrierIsReleased() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let reader = try await FileReader(folder, FileWatcher()) { $0.settle = .seconds(3600) }
        folder.write("tree/a")
        let passed = Cell(0)
        var barrier: SyncBarrier? = SyncBarrier { passed.update { $0 += 1 } }
        weak let forgotten = barrier
        try reader.barriers.pass(#require(barrier))
        barrier = nil
        forgotten?.cancel()
        try await eventually("the barrier is released") {
            folder.write("tree/b")
            return passed.value == 1
        }
    }

    /// Changes that were skipped come before the barrier, too.
    @Test func barrierWaitsForSkippedChanges() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let reader = try await FileReader(folder, FileWatcher(), limit: 4)
        for number in 1...20 { folder.write("tree/\(number)") }
        try await eventually("the reader has enough") { !reader.suspended.value.isEmpty }
        let before = barrier(reader)
        while before.value == nil {
            reader.slots.update { $0 = [] }
            try await eventually("there are more changes, or the barrier") {
                !reader.slots.value.isEmpty || before.value != nil
            }
        }
        let lines = before.value ?? []
        for number in 1...20 { #expect(lines.contains { $0.hasSuffix("created tree/\(number)") }, "\(number)") }
        reader.slots.update { $0 = [] }
    }
}
