import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct SettleTimerTests {
    /// Changes within the span, and the emitted ones. `a` is a file and `d/` is a directory; `b<a` is moved from `a`.
    struct Script: CustomTestStringConvertible, Sendable {
        let happens: String
        let emitted: String
        var testDescription: String { "\(happens) is \(emitted.isEmpty ? "nothing" : emitted)" }

        init(_ happens: String, _ emitted: String) {
            (self.happens, self.emitted) = (happens, emitted)
        }
    }

    static let scripts = [
        Script("created a", "created a"),
        Script("created a, modified a, modified a", "created a"),
        Script("modified a, modified a", "modified a"),
        Script("attributes a", "attributes a"),
        Script("attributes a, modified a", "modified a"),
        Script("created a, removed a", ""),
        Script("modified a, removed a", "removed a"),
        Script("removed a, created a", "modified a"),
        Script("removed a, created a, removed a", "removed a"),
        Script("created a, removed a, created a", "created a"),
        Script("removed d/, created d/", ""),
        Script("removed a, created a/", "removed a, created a/"),
        // Moves.
        Script("moved b<a", "moved b<a"),
        Script("moved b<a, moved c<b", "moved c<a"),
        Script("moved b<a, moved a<b", ""),
        Script("modified a, moved b<a, moved a<b", "modified a"),
        Script("modified a, moved b<a", "moved b<a, modified b"),
        Script("moved b<a, modified b", "moved b<a, modified b"),
        Script("moved b<a, removed b", "removed a"),
        Script("moved b<a, created a", "moved b<a, created a"),
        Script("created a, moved b<a", "created b"),
        Script("created a, moved b<a, removed b", ""),
        Script("removed a, moved a<b", "modified a<b"),
        Script("removed a, created a, moved b<a", "removed a, created b"),
        Script("moved x<a, moved a<b, moved b<x, removed b", "removed b, modified a"),
        Script("moved x<a, moved a<b, moved b<c, moved c<x", "modified b, modified c, modified a"),
        Script("moved l3<l2, moved l2<l1, created l1", "moved l3<l2, moved l2<l1, created l1"),
        Script("moved x<a, moved a<b, moved b<x", "modified b, modified a"),
        // Written beside and renamed into place.
        Script("created n, modified n, modified a<n", "modified a"),
        Script("created n, modified a<n, created n, modified a<n", "modified a"),
        Script("created a, created n, modified a<n", "created a"),
        Script("moved b<x, modified b<y", "removed x, moved b<y"),
        Script("modified b<x, modified b<y", "removed x, modified b<y"),
        Script("moved k<a, created a, modified a, removed k", "removed a, created a"),
        // A directory comes before its contents, and removals come before additions.
        Script("created d/, created d/f, attributes d/", "created d/, created d/f"),
        Script("moved k<a, created a, modified k", "moved k<a, modified k, created a"),
        Script("created d/f, moved e/<d/, modified e/f", "created d/f, moved e/<d/, modified e/f"),
        Script("moved x<d/f, moved e/<d/, modified x", "moved x<d/f, moved e/<d/, modified x"),
        Script("removed c, created c/, moved c/b/<b/", "removed c, created c/, moved c/b/<b/"),
        Script("moved k<d/a, removed d/, modified k", "moved k<d/a, modified k, removed d/"),
        // A file in a directory with the same name.
        Script("moved k<c, created c/, moved c/n<m", "moved k<c, created c/, moved c/n<m"),
        Script(
            "moved k<c, created c/, created c/d/, moved c/d/b<k",
            "removed c, created c/, created c/d/, created c/d/b"),
        Script("moved k<c, removed k, created c/, created k, moved c/k<k", "removed c, created c/, created c/k"),
        Script(
            "moved k<a, moved l<b, created a/, created b/, moved a/l<l, moved b/k<k",
            "removed b, created b/, moved b/k<a, created a/, created a/l"),
        Script("created a, overflow ., modified a", "overflow ., created a"),
    ]

    @Test(arguments: scripts) func changesAreEmitted(script: Script) async throws {
        let emitted = Cell<[FileChange]>([])
        let queue = DispatchQueue(label: "settling")
        let timer = QuietPeriodTimer(.milliseconds(5), on: queue) { emitted.append($0) }
        let changes = script.happens.split(separator: ", ").map(Self.change)
        queue.sync { for change in changes { timer.receive(change) } }
        try await eventually("nothing is pending") { queue.sync { timer.pending.isEmpty } }
        let lines = emitted.value.map(Self.line).joined(separator: ", ")
        #expect(lines == script.emitted)
    }

    /// As `rm -r` does it, and a move out of nested directories: the contents of a directory come before its removal.
    @Test func removedDirectoriesFollowTheirContents() {
        var backlog = PendingChangeQueue()
        let now = SuspendingClock.now
        for (index, path) in ["a/b/f", "a/b/c/g", "a/b/c", "a/b/h", "a/b", "a/k", "a"].enumerated() {
            let isDirectory = ["a", "a/b", "a/b/c"].contains(path)
            let change = FileChange(.removed, BytePath("/r/" + path), isDirectory: isDirectory)
            #expect(backlog.receive(change, due: now + .milliseconds(index)).isEmpty)
        }
        let emitted = backlog.settle(until: nil).map { "\($0.path)" }
        #expect(emitted == ["a/b/f", "a/b/c/g", "a/b/c", "a/b/h", "a/b", "a/k", "a"].map { "/r/" + $0 })
    }

    /// As many files as possible, each renamed to the next one's name.
    @Test func longChainOfMovesSettles() async throws {
        let emitted = Cell<[FileChange]>([])
        let queue = DispatchQueue(label: "settling")
        let timer = QuietPeriodTimer(.milliseconds(1), on: queue) { emitted.append($0) }
        let count = 20_000
        queue.sync {
            for number in (0..<count).reversed() {
                timer.receive(FileChange(.moved, BytePath("/r/\(number + 1)"), from: BytePath("/r/\(number)")))
            }
            // The change for which the others wait is touched last.
            timer.receive(FileChange(.modified, BytePath("/r/\(count)")))
        }
        try await eventually("nothing is pending") { queue.sync { timer.pending.isEmpty } }
        #expect(emitted.value.count == count + 1)
        #expect(emitted.value.first?.path == BytePath("/r/\(count)"))
    }

    /// A file that is permanently written to takes the space of one.
    @Test func pathsThatNeverSettleTakeNoSpace() {
        var backlog = PendingChangeQueue()
        let due = SuspendingClock.now + .seconds(3_600)
        for index in 0..<20_000 {
            #expect(backlog.receive(FileChange(.modified, BytePath("/r/\(index % 10)")), due: due).isEmpty)
            #expect(backlog.queueCount <= 100)
        }
        #expect(backlog.settle(until: due).map { "\($0.path)" } == (0..<10).map { "/r/\($0)" })
        #expect(backlog.all.isEmpty && backlog.nextDue == nil)
    }

    private static func change(_ text: Substring) -> FileChange {
        let words = text.split(separator: " ")
        let ends = words[1].split(separator: "<")
        func path(_ text: Substring) -> BytePath { BytePath("/r/" + String(text.last == "/" ? text.dropLast() : text)) }
        return FileChange(
            FileChange.Kind(rawValue: String(words[0])) ?? .overflow, path(ends[0]),
            from: ends.count > 1 ? path(ends[1]) : nil, isDirectory: ends[0].last == "/")
    }

    private static func line(_ change: FileChange) -> String {
        func name(_ path: BytePath) -> String { "\(path)".dropFirst(3) + (change.isDirectory ? "/" : "") }
        return "\(change.kind.rawValue) \(name(change.path))\(change.from.map { "<\(name($0))" } ?? "")"
    }

    @Test func fileIsEmittedWhenSettled() async throws {
        let folder = Folder()
        let span = Duration.milliseconds(60)
        let watching = try await Watching(folder) { $0.settle = span }
        folder.write("a")
        let begin = SuspendingClock.now
        for _ in 0..<200 { folder.append("a", "more") }
        try await eventually("the new file is emitted") { watching.lines == ["created a"] }
        #expect(SuspendingClock.now - begin >= span)
        folder.write("b.new")
        folder.rename("b.new", "a")
        try await eventually("\(watching.lines)") { watching.lines == ["created a", "modified a"] }
    }

    /// The kernel reports each write: a file that is written to is not settled, open or not.
    @Test(arguments: [true, false]) func fileThatIsWrittenToIsNotReported(isRoot: Bool) async throws {
        let folder = Folder()
        folder.write("log")
        let span = Duration.milliseconds(300)
        let watching = try await Watching(folder, [isRoot ? "log" : ""]) { $0.settle = span }
        let file = try #require(fopen(folder("log"), "a"))
        var last = SuspendingClock.now
        var longest = Duration.zero
        let end = last + .milliseconds(1_700)
        while last < end {
            fputs("line\n", file)
            fflush(file)
            longest = max(longest, .now - last)
            last = .now
        }
        // On a busy machine, the file was unchanged for long enough.
        #expect(watching.lines.isEmpty || longest >= span)
        try await eventually("\(watching.lines)") { watching.lines.last == "modified log" }
        let count = watching.lines.count
        fclose(file)
        folder.append("log", "more")
        try await eventually("\(watching.lines)") { watching.lines.count > count }
        #expect(watching.lines.count == count + 1)
    }

    /// The view of a subscriber with a settle time equals the tree, too.
    @Test(arguments: 0..<6) func viewEqualsTreeAfterSettling(run: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        let folder = Folder()
        folder.makeDirectory("tree")
        var tree = RandomTree(folder("tree"))
        for _ in 0..<30 { tree.change(&random) }
        let watching = try await Watching(folder, ["tree"]) {
            $0.settle = .milliseconds(run.isMultiple(of: 2) ? 2 : 30)
        }
        let view = View(tree.walk(), root: folder("tree"))
        for _ in 0..<400 { tree.change(&random) }
        try await eventually("seed \(seed): \(view.difference(to: tree.walk(), after: watching.all))") {
            view.after(watching.all) == tree.walk()
        }
    }
}
