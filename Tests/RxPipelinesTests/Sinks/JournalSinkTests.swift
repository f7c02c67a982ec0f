import Glibc
import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct JournalSinkTests {
    /// Writes event records on a test's command.
    private final class Journal: RecordWriter {
        let others = Cell<[Record]>([])
        let waiting = Cell<[(record: Record, receipt: WriteReceipt)]>([])

        func write(_ record: Record) { others.append(record) }
        func write(_ record: Record, _ receipt: WriteReceipt) { waiting.append((record, receipt)) }

        /// Writes the waiting records, or loses them.
        ///
        /// - Returns: these records.
        func write(_ count: Int = .max, _ error: SystemError? = nil) -> [String] {
            let all = waiting.value
            waiting.update { $0 = Array(all.dropFirst(count)) }
            for (_, receipt) in all.prefix(count) where receipt.begin() {
                receipt.end(error.map { .failed($0) } ?? .written)
            }
            return all.prefix(count).map(\.record.message)
        }
    }

    @Test func eventIsUnsettledUntilRecordIsWritten() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let journal = Journal()
        var graph: Graph? = Graph(
            try Plan.read(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, to: [journal: "{{.tick}}"] } }
                """.utf8, file: "t.yaml"), generation: { 1 }, host: .inline(),
            records: journal,
            printLine: { $1.end(.written) },
            makeScheduler: { _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(35)
        #expect(journal.waiting.value.map(\.record.message) == ["0"])
        #expect(graph?.unsettledCounts == ["tick": 3] && graph?.isAtRest == false)
        #expect(journal.write() == ["0"] && graph?.unsettledCounts == ["tick": 2])
        // Their events fail, and the completion is recorded.
        #expect(journal.write(.max, SystemError(ENOBUFS, "queueing a record")) == ["1", "2"])
        #expect(graph?.unsettledCounts == ["tick": 0] && graph?.flow.dropped == 2)
        scheduler.advanceTo(45)
        #expect(journal.write() == ["3"])
        let records = journal.others.value.filter { $0.kind == .sink }
        #expect(
            records.map(\.message) == [
                "p: journal failed: \(SystemError(ENOBUFS, "queueing a record"))",
                "p: journal failed: \(SystemError(ENOBUFS, "queueing a record"))",
                "p: journal works again; 2 lines were dropped",
            ])
        #expect(records.allSatisfy { $0[.pipeline] == "p" && $0[.sink] == "journal" })
        #expect(records.map { $0[.cause] } == ["tick:1", "tick:2", nil])
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    @Test func queueMayBeBounded() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let journal = Journal()
        var graph: Graph? = Graph(
            try Plan.read(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, to: [journal: { message: "{{.tick}}", queue: 2, overflow: dropNewest }] } }
                """.utf8, file: "t.yaml"), generation: { 1 }, host: .inline(),
            records: journal,
            printLine: { $1.end(.written) }, makeScheduler: { _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(55)
        #expect(journal.write() == ["0"] && journal.write() == ["1", "2"] && graph?.flow.dropped == 2)
        #expect(
            journal.others.value.filter { $0.kind == .sink }.map(\.message) == [
                "p: journal queue full: 2 events are waiting; new events are dropped from now on",
                "p: journal dropped 2 events",
            ])
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    @Test func journalMayBeSpooled() throws {
        let plan = try Plan.read(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, to: [journal: { queue: { disk: 1MiB } }] } }
            """.utf8, file: "t.yaml")
        #expect(plan.pipelines.first?.sinks.first?.kind.spool == 1 << 20)
    }

    /// Records that wait when the daemon stops are not written, and their events are redelivered.
    @Test(arguments: 0...3) func writtenRecordFinishesItsEvent(written: Int) throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let journal = Journal()
        var graph: Graph? = Graph(
            try Plan.read(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, to: [journal: "{{.tick}}"] } }
                """.utf8, file: "t.yaml"), generation: { 1 }, host: .inline(),
            records: journal,
            printLine: { $1.end(.written) }, makeScheduler: { _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(45)
        #expect(journal.write() == ["0"] && journal.write(written).count == written)
        graph?.close()
        graph?.freeze()
        graph?.dispose()
        #expect(graph?.unsettled.map(\.value["tick"]) == (1...3).dropFirst(written).map { .number(Double($0)) })
        #expect(journal.waiting.value.allSatisfy { !$0.receipt.begin() } && journal.waiting.value.count == 3 - written)
        graph = nil
        journal.waiting.update { $0 = [] }
        scheduler.start()
    }
}
