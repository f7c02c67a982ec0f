import Glibc
import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct JournalSinkTests {
    /// Writes event records when a test says so.
    private final class Journal: RecordWriter {
        let others = Box<[Record]>([])
        let waiting = Box<[(records: [Record], receipt: LineReceipt)]>([])

        func write(_ record: Record) { others.append(record) }
        func write(_ records: [Record], _ receipt: LineReceipt) { waiting.append((records, receipt)) }

        /// Writes the records that wait, or loses them.
        ///
        /// - Returns: these records.
        func write(_ error: SystemError? = nil) -> [String] {
            let all = waiting.value
            waiting.update { $0 = [] }
            for (records, receipt) in all { for _ in records { receipt.written(error) } }
            return all.flatMap(\.records).map(\.message)
        }
    }

    @Test func eventIsUnsettledUntilItsRecordIsWritten() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let journal = Journal()
        var graph: Graph? = Graph(
            try Plan.read(
                """
                sources: { tick: { interval: 10s } }
                pipelines: { p: { from: tick, to: [journal: "{{.tick}}"] } }
                """.utf8, file: "t.yaml"), generation: { 1 }, host: Host(), records: journal, printLine: { _, _ in },
            makeScheduler: { _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(35)
        #expect(journal.waiting.value.map { $0.records.map(\.message) } == [["0"]])
        #expect(graph?.unsettledCounts == ["tick": 3] && graph?.isAtRest == false)
        #expect(journal.write() == ["0"] && graph?.unsettledCounts == ["tick": 2])
        // Lost ones are recorded once, and so is the end.
        #expect(journal.write(SystemError(ENOBUFS, "queueing a record")) == ["1", "2"])
        #expect(graph?.unsettledCounts == ["tick": 0] && graph?.flow.dropped == 2)
        scheduler.advanceTo(45)
        #expect(journal.write() == ["3"])
        let records = journal.others.value.filter { $0.kind == .sink }
        #expect(
            records.map(\.message) == [
                "p: journal failed: \(SystemError(ENOBUFS, "queueing a record")); lines are dropped until one can be written again",
                "p: journal can be written to again; 2 lines were dropped",
            ])
        #expect(records.allSatisfy { $0[.pipeline] == "p" && $0[.sink] == "journal" })
        graph?.dispose()
        graph = nil
        scheduler.start()
    }
}
