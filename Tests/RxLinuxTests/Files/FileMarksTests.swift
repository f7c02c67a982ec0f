import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Marks, which follow all changes from before them.
@Suite(.balanced, .serialized) struct FileMarksTests {
    /// What a reader had received when a mark was passed; `nil` before that.
    private func mark(_ reader: FileReader) -> Cell<[String]?> {
        let before = Cell<[String]?>(nil)
        reader.marks.pass(
            StreamMark { [received = reader.received] in before.update { $0 = received.value.map(\.line) } })
        return before
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)]) func markFollowsChanges(settle: Duration) async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        folder.write("tree/old")
        let reader = try await FileReader(folder, FileWatcher()) { $0.settle = settle }
        for round in 1...20 {
            folder.write("tree/\(round)")
            folder.makeDirectory("tree/d/\(round)/e")
            folder.write("tree/d/\(round)/e/f")
            if round == 20 { folder.rename("tree/old", "away") }
            let before = mark(reader)
            try await eventually("the mark is passed") { before.value != nil }
            let lines = Set(before.value ?? [])
            #expect(lines.contains("created tree/\(round)") && lines.contains { $0.hasSuffix("tree/d/\(round)/e/f") })
            #expect(lines.contains("removed tree/old") == (round == 20))
        }
    }

    /// A file that changes on keeps the mark back, and so does the other stream with the same marks.
    @Test func unsettledFileKeepsMarkBack() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let watcher = FileWatcher()
        var reader: FileReader? = try await FileReader(folder, watcher) { $0.settle = .seconds(3600) }
        folder.write("tree/a")
        let all = StreamMarks()
        let passed = Cell<Set<String>>([])
        func pass(_ name: String, _ marks: StreamMarks?) {
            marks?.pass(StreamMark { passed.update { $0.insert(name) } })
        }
        let quick = try await FileReader(folder, watcher)
        pass("slow", reader?.marks)
        pass("quick", quick.marks)
        pass("none", all)
        #expect(passed.value.contains("none"))
        // Both runs are on one queue, so the slow one has had its mark, too.
        try await eventually("the quick reader has its mark") { passed.value.contains("quick") }
        #expect(!passed.value.contains("slow"))
        reader = nil
        try await eventually("the mark is released") { passed.value.contains("slow") }
    }

    /// A mark that nobody waits for any more is forgotten with the next change, whatever keeps it back.
    @Test func cancelledMarkIsForgotten() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let reader = try await FileReader(folder, FileWatcher()) { $0.settle = .seconds(3600) }
        folder.write("tree/a")
        let passed = Cell(0)
        var mark: StreamMark? = StreamMark { passed.update { $0 += 1 } }
        weak let forgotten = mark
        try reader.marks.pass(#require(mark))
        mark = nil
        forgotten?.cancel()
        try await eventually("the mark is forgotten") {
            folder.write("tree/b")
            return passed.value == 1
        }
    }

    /// Changes that were skipped come before the mark, too.
    @Test func markWaitsForSkippedChanges() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let reader = try await FileReader(folder, FileWatcher(), limit: 4)
        for number in 1...20 { folder.write("tree/\(number)") }
        try await eventually("the reader has enough") { !reader.suspended.value.isEmpty }
        let before = mark(reader)
        while before.value == nil {
            reader.slots.update { $0 = [] }
            try await eventually("there are more changes, or the mark") {
                !reader.slots.value.isEmpty || before.value != nil
            }
        }
        let lines = before.value ?? []
        for number in 1...20 { #expect(lines.contains { $0.hasSuffix("created tree/\(number)") }, "\(number)") }
        reader.slots.update { $0 = [] }
    }
}
