import Glibc
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// A file sink after a process that was killed while it wrote several lines.
@Suite(.balanced) struct FileBatchesTests {
    private let folder = SinkFolder()
    private var path: String { "\(folder.path)/a" }

    /// A store, and what a sink before has stored there.
    private final class Store: BatchStore {
        let stored = Box<[String: [Int: [UInt8]]]>([:])
        /// Called when a part was stored.
        let onStore = Box<@Sendable () -> Void> {}

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
        // What comes before it starts is one batch.
        let scheduler = TestScheduler(initialClock: 0)
        let config = "file: { path: '\(path ?? self.path)', format: '{{.}}' }"
        return (scheduler, try SinkRig(config, Host(batches: batches, makeScheduler: { _ in scheduler })))
    }

    /// Gives a sink of a new process events of these values, numbered from the first, which it writes in one go.
    private func write(
        _ values: [JSON], _ store: Store, path: String? = nil, first: UInt64 = 0,
        change: (PipelineEvent) -> PipelineEvent = { $0 }
    ) throws {
        let (scheduler, rig) = try sink(FileBatches(store), path: path)
        for (sequence, value) in zip(first..., values) {
            _ = try rig.sink?.take(change(PipelineEvent(value, source: "tick", sequence: sequence, time: 1)))
        }
        scheduler.start()
        #expect(rig.sink?.queued == 0 && rig.problems == [])
    }

    @Test func linesOfAKilledProcessAreNotRepeated() throws {
        let store = Store()
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == "a\nb\nc\n")
        try write(["a", "b", "c", "d"], store)
        #expect(folder.text("a") == "a\nb\nc\nd\n")
        // Killed once more, before all of them came again.
        try write(["a", "b", "c", "d", "e"], store)
        #expect(folder.text("a") == "a\nb\nc\nd\ne\n")
    }

    @Test(arguments: [(0, "a\nb\nc\n"), (1, "a\na\nb\nc\n"), (2, "a\nb\nc\n"), (3, "a\nb\nb\nc\n"), (4, "a\nb\nc\n")])
    func linesThatWereNotWrittenAreWritten(size: Int, text: String) throws {
        let store = Store()
        try write(["a", "b", "c"], store)
        truncate(path, size)
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == text)
    }

    @Test func somebodyElseWritesThereToo() throws {
        let store = Store()
        let other = FileAppender(path)
        try other.append(Array("first".utf8))
        try write(["a", "b"], store)
        try other.append(Array("last".utf8))
        try write(["a", "b"], store)
        #expect(folder.text("a") == "first\na\nb\nlast\n")
    }

    @Test func otherLinesAtThePlaceDoNotCount() throws {
        let store = Store()
        try write(["a", "b"], store)
        truncate(path, 0)
        let other = FileAppender(path)
        for line in ["a", "x"] { try other.append(Array(line.utf8)) }
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nx\nb\n")
    }

    /// The first line is the beginning of another one.
    @Test func aLineCountsWithItsEnd() throws {
        let store = Store()
        try write(["a", "b"], store)
        truncate(path, 0)
        try FileAppender(path).append(Array("ab".utf8))
        try write(["a", "b"], store)
        #expect(folder.text("a") == "ab\na\nb\n")
    }

    @Test func aFileThatIsRotatedIsFound() throws {
        let store = Store()
        try write(["a", "b"], store)
        rename(path, "\(folder.path)/b")
        try FileAppender(path).append(Array("x".utf8))
        try write(["a", "b", "c"], store)
        #expect(folder.text("a") == "x\nc\n" && folder.text("b") == "a\nb\n")
    }

    @Test func linesOfAFileThatIsGoneAreWrittenAgain() throws {
        let store = Store()
        try write(["a", "b"], store)
        unlink(path)
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nb\n")
    }

    /// The place is looked at before other sinks write there.
    @Test func linesOfOtherSinksOfTheNextProcessDoNotCount() throws {
        let store = Store()
        try write(["a", "a"], store)
        truncate(path, 0)
        let batches = FileBatches(store)
        let other = FileAppender(path)
        for _ in 0..<2 { try other.append(Array("a".utf8)) }
        let (scheduler, rig) = try sink(batches)
        for sequence in 0..<2 as Range<UInt64> {
            _ = try rig.sink?.take(PipelineEvent("a", source: "tick", sequence: sequence, time: 1))
        }
        scheduler.start()
        #expect(folder.text("a") == "a\na\na\na\n" && rig.sink?.queued == 0)
    }

    /// They have the ids of events that were written.
    @Test func replaysAreWritten() throws {
        let store = Store()
        try write(["a", "b"], store)
        try write(["a", "b"], store) { $0.replayed }
        #expect(folder.text("a") == "a\nb\na\nb\n")
        // Nor do they count as written.
        unlink(path)
        try write(["c", "d"], store, first: 5) { $0.replayed }
        try write(["c", "d"], store, first: 5)
        #expect(folder.text("a") == "c\nd\nc\nd\n")
    }

    /// A sink that a reload has replaced is of the same process.
    @Test func nothingIsLookedUpAfterTheStart() throws {
        let store = Store()
        let batches = FileBatches(store)
        for _ in 0..<2 {
            let (scheduler, rig) = try sink(batches)
            for (sequence, value) in zip(UInt64(0)..., ["a", "b"] as [JSON]) {
                _ = try rig.sink?.take(PipelineEvent(value, source: "tick", sequence: sequence, time: 1))
            }
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

    @Test func eachFileOfABatchIsLookedAt() throws {
        let store = Store()
        let values = ["a", "a", "b", "a", "b", "c"].map { JSON.string($0) }
        try write(values, store, path: "\(folder.path)/{{.}}")
        truncate("\(folder.path)/b", 2)
        try write(values, store, path: "\(folder.path)/{{.}}")
        #expect(folder.text("a") == "a\na\na\n" && folder.text("b") == "b\nb\n" && folder.text("c") == "c\n")
    }

    /// What is said to be in the file is there: others may write the same lines to the same place.
    @Test func onlyLinesThatWereWrittenStayStored() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 16
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let tests = FileBatchesTests()
            let store = Store()
            let (scheduler, rig) = try tests.sink(FileBatches(store))
            for (sequence, value) in zip(UInt64(0)..., ["123456", "123456", "123456", "1", "12"] as [JSON]) {
                _ = try rig.sink?.take(PipelineEvent(value, source: "tick", sequence: sequence, time: 1))
            }
            scheduler.start()
            let parts = store.all()[""] ?? []
            let ids = try parts.map { try JSON(parsing: $0)["lines"]?.array?.map { $0[0] } }
            guard tests.folder.text("a") == "123456\n123456\n1\n", rig.sink?.dropped == 2,
                ids == [["tick:0", "tick:1"], ["tick:3"]]
            else { exit(1) }
            exit(0)
        }
    }

    @Test func nothingStaysStoredOfABatchThatIsCancelled() throws {
        let store = Store()
        let (scheduler, rig) = try sink(FileBatches(store))
        for sequence in 0..<2 as Range<UInt64> {
            _ = try rig.sink?.take(PipelineEvent("a", source: "tick", sequence: sequence, time: 1))
        }
        let sink = rig.sink
        store.onStore.update { $0 = { sink?.dispose() } }
        scheduler.start()
        store.onStore.update { $0 = {} }
        #expect(folder.text("a") == "" && store.all().values.allSatisfy(\.isEmpty))
    }

    /// A single line needs no note: a kill repeats one at most.
    @Test func aSingleLineIsNotStored() throws {
        let store = Store()
        try write(["a"], store)
        #expect(folder.text("a") == "a\n" && store.stored.value.isEmpty)
    }

    @Test(arguments: ["", "{", "[]", "{\"path\": 1}", "{\"lines\": [[1, 2, 3]]}", "{\"written\": 5}"])
    func whatCannotBeReadIsIgnored(part: String) throws {
        let store = Store()
        store.store(Array(part.utf8), at: 1, of: "")
        try write(["a", "b"], store)
        #expect(folder.text("a") == "a\nb\n")
    }
}
