import Glibc
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// A file sink after a process was killed while it wrote several lines.
@Suite(.balanced) struct FileBatchesTests {
    private let folder = TemporaryDirectory()
    private var path: String { "\(folder.path)/a" }

    /// A store with the batches of an earlier sink.
    private final class Store: BatchStore {
        let stored = Cell<[String: [Int: [UInt8]]]>([:])
        /// Called after a part was stored.
        let onStore = Cell<@Sendable () -> Void> {}

        func all() -> [String: [[UInt8]]] {
            stored.value.mapValues { $0.sorted { $0.key < $1.key }.map(\.value) }
        }

        func replaceAll(with parts: [String: [UInt8]]) {
            stored.update { $0 = parts.mapValues { [0: $0] } }
        }

        func store(_ part: [UInt8]?, at place: Int, of sink: String) {
            stored.update { stored in
                stored[sink] = (stored[sink] ?? [:]).filter { $0.key < place }
                stored[sink]?[place] = part
            }
            onStore.value()
        }
    }

    private func sink(_ batches: FileBatches, path: String? = nil) throws -> (TestScheduler, SinkRig) {
        // The events before the start form one batch.
        let scheduler = TestScheduler(initialClock: 0)
        let config = "file: { path: '\(path ?? self.path)', format: '{{.}}' }"
        return (scheduler, try SinkRig(config, Host(batches: batches, makeScheduler: { _ in scheduler })))
    }

    /// Gives a sink events with these values, numbered from `first`.
    private func give(
        _ values: [JSON], to rig: SinkRig, first: UInt64 = 0, change: (PipelineEvent) -> PipelineEvent = { $0 }
    ) throws {
        for (sequence, value) in zip(first..., values) {
            _ = try rig.sink?.receive(change(PipelineEvent(value, source: "tick", sequence: sequence, time: 1)))
        }
    }

    /// Gives a sink of a new process events with these values, numbered from `first`, which it writes in one batch.
    private func write(
        _ values: [JSON], _ store: Store, path: String? = nil, first: UInt64 = 0,
        change: (PipelineEvent) -> PipelineEvent = { $0 }
    ) throws {
        let (scheduler, rig) = try sink(FileBatches(store), path: path)
        try give(values, to: rig, first: first, change: change)
        scheduler.start()
        #expect(rig.sink?.queued == 0 && rig.problems == [])
    }

    @Test func linesOfKilledProcessAreNotRepeated() throws {
        let store = Store()
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == "a\nb\nc\n")
        try write(["a", "b", "c", "d"], store)
        #expect(folder.text("a") == "a\nb\nc\nd\n")
        // Killed once more, before all of them were redelivered.
        try write(["a", "b", "c", "d", "e"], store)
        #expect(folder.text("a") == "a\nb\nc\nd\ne\n")
    }

    @Test(arguments: [(0, "a\nb\nc\n"), (1, "a\na\nb\nc\n"), (2, "a\nb\nc\n"), (3, "a\nb\nb\nc\n"), (4, "a\nb\nc\n")])
    func unwrittenLinesAreWritten(size: Int, text: String) throws {
        let store = Store()
        try write(["a", "b", "c"], store)
        truncate(path, size)
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == text)
    }

    @Test func linesOfOtherWritersAreSkipped() throws {
        let store = Store()
        let other = FileAppender(path)
        try other.append(Array("first".utf8))
        try write(["a", "b"], store)
        try other.append(Array("last".utf8))
        try write(["a", "b"], store)
        #expect(folder.text("a") == "first\na\nb\nlast\n")
    }

    @Test func otherLinesAtPositionAreIgnored() throws {
        let store = Store()
        try write(["a", "b"], store)
        truncate(path, 0)
        let other = FileAppender(path)
        for line in ["a", "x"] { try other.append(Array(line.utf8)) }
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nx\nb\n")
    }

    /// The first line is the beginning of another line.
    @Test func lineWithoutNewlineIsNotWritten() throws {
        let store = Store()
        try write(["a", "b"], store)
        truncate(path, 0)
        try FileAppender(path).append(Array("ab".utf8))
        try write(["a", "b"], store)
        #expect(folder.text("a") == "ab\na\nb\n")
    }

    @Test func rotatedFileIsFound() throws {
        let store = Store()
        try write(["a", "b"], store)
        rename(path, "\(folder.path)/b")
        try FileAppender(path).append(Array("x".utf8))
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == "x\nc\n" && folder.text("b") == "a\nb\n")
    }

    @Test func linesOfDeletedFileAreWrittenAgain() throws {
        let store = Store()
        try write(["a", "b"], store)
        unlink(path)
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nb\n")
    }

    /// The place is read before other sinks write there.
    @Test func linesOfOtherSinksOfNextProcessAreIgnored() throws {
        let store = Store()
        try write(["a", "a"], store)
        truncate(path, 0)
        let batches = FileBatches(store)
        let other = FileAppender(path)
        for _ in 0..<2 { try other.append(Array("a".utf8)) }
        let (scheduler, rig) = try sink(batches)
        try give(["a", "a"], to: rig)
        scheduler.start()
        #expect(folder.text("a") == "a\na\na\na\n" && rig.sink?.queued == 0)
    }

    /// Replays have the IDs of events that were written.
    @Test func replaysAreWritten() throws {
        let store = Store()
        try write(["a", "b"], store)
        try write(["a", "b"], store) { $0.replayed }
        #expect(folder.text("a") == "a\nb\na\nb\n")
        // They do not count as written either.
        unlink(path)
        try write(["c", "d"], store, first: 5) { $0.replayed }
        try write(["c", "d"], store, first: 5)
        #expect(folder.text("a") == "c\nd\nc\nd\n")
    }

    /// A sink that replaces another after a reload belongs to the same process.
    @Test func nothingIsReadAfterStart() throws {
        let store = Store()
        let batches = FileBatches(store)
        for _ in 0..<2 {
            let (scheduler, rig) = try sink(batches)
            try give(["a", "b"], to: rig)
            scheduler.start()
            #expect(rig.sink?.queued == 0)
        }
        #expect(folder.text("a") == "a\nb\na\nb\n")
    }

    @Test func linesOfOtherEventsAreWritten() throws {
        let store = Store()
        try write(["a", "b"], store)
        try write(["a", "b"], store, first: 10)
        #expect(folder.text("a") == "a\nb\na\nb\n")
    }

    @Test func everyFileOfBatchIsRead() throws {
        let store = Store()
        let values = ["a", "a", "b", "a", "b", "c"].map { JSON.string($0) }
        try write(values, store, path: "\(folder.path)/{{.}}")
        truncate("\(folder.path)/b", 2)
        try write(values, store, path: "\(folder.path)/{{.}}")
        #expect(folder.text("a") == "a\na\na\n" && folder.text("b") == "b\nb\n" && folder.text("c") == "c\n")
    }

    /// Lines that are stored as written are in the file: others may write the same lines to the same place.
    @Test func onlyWrittenLinesStayStored() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 16
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let tests = FileBatchesTests()
            let store = Store()
            let (scheduler, rig) = try tests.sink(FileBatches(store))
            try tests.give(["123456", "123456", "123456", "1", "12"], to: rig)
            scheduler.start()
            let parts = store.all()[""] ?? []
            let ids = try parts.map { try JSON(parsing: $0)["lines"]?.array?.map { $0[0] } }
            guard tests.folder.text("a") == "123456\n123456\n1\n", rig.sink?.dropped == 2,
                ids == [["tick:0", "tick:1"], ["tick:3"]]
            else { exit(1) }
            exit(0)
        }
    }

    @Test func cancelledBatchIsNotStored() throws {
        let store = Store()
        let (scheduler, rig) = try sink(FileBatches(store))
        try give(["a", "a"], to: rig)
        let sink = rig.sink
        store.onStore.update { $0 = { sink?.dispose() } }
        scheduler.start()
        store.onStore.update { $0 = {} }
        #expect(folder.text("a") == "" && store.all().values.allSatisfy(\.isEmpty))
    }

    /// A single line needs no note: a kill repeats one line at most.
    @Test func singleLineIsNotStored() throws {
        let store = Store()
        try write(["a"], store)
        #expect(folder.text("a") == "a\n" && store.stored.value.isEmpty)
    }

    @Test(arguments: ["", "{", "[]", "{\"path\": 1}", "{\"lines\": [[1, 2, 3]]}", "{\"written\": 5}"])
    func unreadableFileIsIgnored(part: String) throws {
        let store = Store()
        store.store(Array(part.utf8), at: 1, of: "")
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nb\n")
    }
}
