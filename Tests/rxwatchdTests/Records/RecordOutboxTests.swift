import Dispatch
import RxLinux
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct RecordOutboxTests {
    private func event(_ number: Int) -> Record {
        Record(.event, generation: 1, "\(number)", [.pipeline: "p", .sink: "journal"])
    }

    /// Above the limit, the receipt reports it: the event is not lost silently.
    @Test func recordsAboveLimitFail() async throws {
        let printed = Cell(0)
        let outbox = RecordOutbox(
            writesToJournal: false, limiter: RecordLimiter(now: { .zero }),
            print: { _ in printed.update { $0 += 1 } })
        let log = Cell<[String]>([])
        let limit = try #require(RecordLimiter.limit(of: .event))
        for number in 0..<limit + 2 {
            // It takes 10,000 at a time.
            if number % 5000 == 0 { try await eventually("the records are printed") { outbox.queued == 0 } }
            outbox.write(event(number), WriteReceipt { log.append("\($0)") })
        }
        #expect(outbox.drain(within: .seconds(10)))
        let error = RecordLimitError(kind: .event)
        #expect("\(error)" == "more than 50000 records in 10s")
        #expect(log.value.count { $0 == "written" } == limit)
        #expect(
            log.value.filter { $0 != "written" } == Array(repeating: "\(WriteReceipt.Outcome.failed(error))", count: 2))
        // The drain adds one record that counts those.
        #expect(printed.value == limit + 1)
    }

    @Test func cancelledRecordsAreNotWritten() {
        let (log, go) = (Cell<[String]>([]), DispatchSemaphore(value: 0))
        let hasBegun = DispatchSemaphore(value: 0)
        let outbox = RecordOutbox(
            writesToJournal: false,
            print: { record in
                if record.message == "0" {
                    hasBegun.signal()
                    go.wait()
                }
                log.append(record.message)
            })
        let receipts = (0..<3).map { number in WriteReceipt { log.append("\(number) \($0)") } }
        for (number, receipt) in receipts.enumerated() { outbox.write(event(number), receipt) }
        hasBegun.wait()
        for receipt in receipts.prefix(2) { receipt.cancel() }
        go.signal()
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == ["1 cancelled", "0", "0 written", "2", "2 written"])
    }
}
