import Glibc
import RxEngine
import RxLinux
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct LineOutboxTests {
    private final class Records: RecordWriter {
        let all = Box<[Record]>([])

        func write(_ record: Record) {
            all.append(record)
        }
    }

    /// Writes a line for each of these: refused with that number, or taken.
    ///
    /// - Returns: how many were dropped.
    private func dropped(_ numbers: [Int32?], _ records: Records) -> Int {
        let drops = DropCount()
        let rest = Box(numbers)
        let outbox = LineOutbox(records: records) { line in
            let number = rest.value[0]
            rest.update { $0.removeFirst() }
            return number.map { SystemError($0, "writing \(line)") }
        }
        for line in numbers.indices { outbox.put("\(line)", generation: 2, drops) }
        #expect(outbox.drain(within: .seconds(10)) && outbox.queued == 0)
        return drops.value
    }

    @Test(
        arguments: [
            ([nil, nil], 0, []),
            ([nil, ENOSPC, ENOSPC, ENOSPC], 3, [1]),
            ([ENOSPC, nil, EPIPE, EPIPE, nil, nil, EIO], 4, [0, 2, 6]),
        ] as [([Int32?], Int, [Int])])
    func whatIsRefusedIsCountedAndTheFirstInARowRecorded(numbers: [Int32?], dropped: Int, recorded: [Int]) {
        let records = Records()
        #expect(self.dropped(numbers, records) == dropped)
        let errors = recorded.map { "\(SystemError(numbers[$0] ?? 0, "writing \($0)"))" }
        #expect(records.all.value.map { $0[.error] } == errors)
    }

    @Test func theRecordSaysWhatFailed() throws {
        let records = Records()
        #expect(dropped([ENOSPC], records) == 1)
        let record = try #require(records.all.value.first)
        #expect(record.kind == .sink && record.priority == .err && record.generation == 2)
        #expect(record[.sink] == "stdout" && record[.errorType] == "SystemError")
        #expect(record.message.hasPrefix("stdout failed: writing 0: No space left on device; "))
    }
}
