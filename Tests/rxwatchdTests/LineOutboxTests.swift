import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct LineOutboxTests {
    /// The receipt of a line says whether it was written, before the next line is.
    @Test(arguments: [[nil, nil], [nil, ENOSPC, nil, EPIPE]] as [[Int32?]])
    func receiptsReportLineByLine(numbers: [Int32?]) {
        let rest = Cell(numbers)
        let log = Cell<[String]>([])
        let go = DispatchSemaphore(value: 0)
        let outbox = LineOutbox(waitForRoom: { _ in true }) { line in
            if line == "0" { go.wait() }
            log.append("print \(line)")
            let number = rest.value[0]
            rest.update { $0.removeFirst() }
            return number.map { SystemError($0, "writing \(line)") }
        }
        for line in numbers.indices {
            outbox.put("\(line)", WriteReceipt { log.append("\(line): \($0)") })
        }
        go.signal()
        #expect(outbox.drain(within: .seconds(10)) && outbox.queued == 0)
        let expected = numbers.enumerated().flatMap { line, number in
            let outcome =
                number.map { WriteReceipt.Outcome.failed(SystemError($0, "writing \(line)")) } ?? .written
            return ["print \(line)", "\(line): \(outcome)"]
        }
        #expect(log.value == expected)
    }

    /// Until there is room for a line, it can be cancelled.
    @Test func cancelledLinesAreNotWritten() {
        let log = Cell<[String]>([])
        let hasBegun = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let waits = Cell(0)
        let outbox = LineOutbox { _ in
            waits.update { $0 += 1 }
            guard waits.value == 2 else { return true }
            hasBegun.signal()
            go.wait()
            return true
        } print: { line in
            log.append(line)
            return nil
        }
        let receipts = ["a", "b", "c", "d"].map { line in WriteReceipt { log.append("\(line): \($0)") } }
        for (line, receipt) in zip(["a", "b", "c", "d"], receipts) { outbox.put(line, receipt) }
        hasBegun.wait()
        for receipt in receipts.prefix(3) { receipt.cancel() }
        go.signal()
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == ["a", "a: written", "b: cancelled", "c: cancelled", "d", "d: written"])
    }

    /// A long line may be written in parts, so that the stream counts as writable.
    @Test func stallInsideLongLineIsReported() {
        let log = Cell<[String]>([])
        let isStalled = DispatchSemaphore(value: 0)
        let outbox = LineOutbox(stallTime: 20) { _ in
            true
        } print: { line in
            if line.hasPrefix("slow") { isStalled.wait() }
            return nil
        } onStall: { isBeginning in
            log.append(isBeginning ? "stalled" : "continues")
            if isBeginning { isStalled.signal() }
        }
        for line in ["fast", "slow"] {
            outbox.put(line + String(repeating: "x", count: 5000), WriteReceipt { _ in })
        }
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == ["stalled", "continues"])
    }

    /// A reader that does not read is reported once, and once more when it reads again.
    @Test func stallIsReported() {
        let log = Cell<[String]>([])
        let results = Cell([true, false, true, true])
        let outbox = LineOutbox { timeout in
            log.append("wait \(timeout)")
            defer { results.update { $0.removeFirst() } }
            return results.value[0]
        } print: { line in
            log.append(line)
            return nil
        } onStall: { isStalled in
            log.append(isStalled ? "stalled" : "continues")
        }
        for line in ["a", "b", "c"] { outbox.put(line, WriteReceipt { _ in }) }
        #expect(outbox.drain(within: .seconds(10)))
        #expect(
            log.value == ["wait 5000", "a", "wait 5000", "stalled", "wait -1", "continues", "b", "wait 5000", "c"])
    }
}
