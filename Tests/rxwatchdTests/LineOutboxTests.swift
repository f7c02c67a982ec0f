import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct LineOutboxTests {
    /// The receipt of a line is released when the line is written, and says whether it was.
    @Test(arguments: [[nil, nil], [nil, ENOSPC, nil, EPIPE]] as [[Int32?]])
    func receiptsAreReleasedLineByLine(numbers: [Int32?]) {
        let rest = Box(numbers)
        let log = Box<[String]>([])
        let go = DispatchSemaphore(value: 0)
        let outbox = LineOutbox { line in
            if line == "0" { go.wait() }
            log.append("print \(line)")
            let number = rest.value[0]
            rest.update { $0.removeFirst() }
            return number.map { SystemError($0, "writing \(line)") }
        }
        for line in numbers.indices {
            outbox.put(
                "\(line)",
                LineReceipt {
                    log.append("\(line): \($0.map { "\($0.number)" } ?? "written")")
                } onRelease: {
                    log.append("\(line) is released")
                })
        }
        go.signal()
        #expect(outbox.drain(within: .seconds(10)) && outbox.queued == 0)
        #expect(
            log.value
                == numbers.enumerated().flatMap { line, number in
                    ["print \(line)", "\(line): \(number.map { "\($0)" } ?? "written")", "\(line) is released"]
                })
    }

    @Test func cancelledLinesAreNotWritten() {
        let log = Box<[String]>([])
        let go = DispatchSemaphore(value: 0)
        let outbox = LineOutbox { line in
            if line == "a" { go.wait() }
            log.append(line)
            return nil
        }
        let cancelled = LineReceipt { _ in
            log.append("told")
        } onRelease: {
            log.append("released")
        }
        let other = LineReceipt { _ in }
        for (line, receipt) in [("a", cancelled), ("b", cancelled), ("c", other)] { outbox.put(line, receipt) }
        cancelled.cancel()
        go.signal()
        #expect(outbox.drain(within: .seconds(10)) && log.value.last == "c" && !log.value.contains("b"))
        #expect(!log.value.contains("told") && !log.value.contains("released"))
    }
}
