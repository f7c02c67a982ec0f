import Dispatch
import Glibc
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct JournalWriterTests {
    /// Different for each test: a writer with remaining records continues to send them after its test.
    private let folder = TemporaryDirectory()
    private var path: String { folder("journald") }

    private func number(_ number: Int) -> [JournalField] {
        [JournalField("MESSAGE", "\(number)")]
    }

    @Test func recordsMatchJournaldFormat() throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        let binary = (0...255).map { UInt8($0) }
        #expect(
            writer.write(
                .warning,
                [
                    JournalField("MESSAGE", "two\nlines\n"), JournalField("EMPTY", ""),
                    JournalField("BINARY", bytes: binary), JournalField("A", "=b=ö"), JournalField("bad name", "x"),
                    JournalField("BAD\nPRIORITY=0", "x"), JournalField("_PID", "1"),
                ]))
        #expect(
            journald.next()?.fields == [
                "PRIORITY": Array("4".utf8), "MESSAGE": Array("two\nlines\n".utf8), "EMPTY": [], "BINARY": binary,
                "A": Array("=b=ö".utf8),
            ])
        #expect(writer.write(.debug, []))
        #expect(journald.next()?.text("PRIORITY") == "7")
        #expect(journald.next() == nil)
        #expect(writer.queued == 0 && writer.dropped == [:] && writer.lastError == nil)
    }

    @Test(arguments: [100_000, 1_000_000, 9_000_000])
    func largeRecordsArriveComplete(size: Int) async throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        var value = (0...250).map { UInt8($0) }
        while value.count < size { value += value }
        value.removeLast(value.count - size)
        #expect(writer.write(.info, [JournalField("MESSAGE", "before")]))
        #expect(writer.write(.info, [JournalField("BIG", bytes: value)]))
        #expect(writer.write(.info, [JournalField("MESSAGE", "after")]))
        #expect(writer.drain(within: .seconds(10)))
        #expect(journald.next()?.text("MESSAGE") == "before")
        let large = try #require(journald.next())
        #expect(large.fields["BIG"] == value)
        // The administrator sets the maximum size of a datagram, up to 8 MiB.
        #expect(large.isSealed == large.cameInFile && (large.cameInFile || size < 9_000_000))
        #expect(!large.cameInFile || size > 100_000)
        #expect(journald.next()?.text("MESSAGE") == "after")
    }

    /// A journald that reads nothing gets one large file, and further ones when it has read that.
    @Test func unreadFilesAreBounded() async throws {
        let journald = try FakeJournald(path)
        var socket = JournalSocket(path: path)
        let small = JournalDatagram.encode(.info, number(1))
        let large = JournalDatagram.encode(
            .info, [JournalField("BIG", bytes: [UInt8](repeating: 0x78, count: 9_000_000))])
        var outcomes = [large, large, small, large].map { socket.send($0) }
        #expect(outcomes == [.sent, .unread, .sent, .unread])
        // The same journald is still connected.
        socket.disconnectIfReplaced()
        outcomes = [socket.send(large)]
        #expect(outcomes == [.unread])
        #expect(journald.rest().map(\.cameInFile) == [true, false])
        outcomes = [large, large].map { socket.send($0) }
        #expect(outcomes == [.sent, .unread])
        let next = try FakeJournald(path)
        socket.disconnectIfReplaced()
        outcomes = [large, large].map { socket.send($0) }
        #expect(outcomes == [.sent, .unread])
        #expect(journald.rest().count == 1 && next.rest().count == 1)
    }

    /// A connection whose server's file is unknown could not be compared later, so there is none.
    @Test func connectionNeedsFileOfServer() throws {
        let journald = try FakeJournald(path)
        let small = JournalDatagram.encode(.info, number(1))
        let file = Cell<Result<JournalSocket.ServerFile, SystemError>>(.failure(SystemError(EACCES, "looking")))
        var socket = JournalSocket(path: path) { _ throws(SystemError) in try file.value.get() }
        var outcome = socket.send(small)
        #expect(outcome == .unreachable(SystemError(EACCES, "looking")) && journald.rest().isEmpty)
        file.update { $0 = .success(.init(device: 1, inode: 7)) }
        outcome = socket.send(small)
        #expect(outcome == .sent && journald.rest().count == 1)
    }

    /// Only another file, or none, is another journald: otherwise, what is unread still counts.
    @Test func unreadFilesCountUntilServerIsReplaced() throws {
        let journald = try FakeJournald(path)
        let large = JournalDatagram.encode(
            .info, [JournalField("BIG", bytes: [UInt8](repeating: 0x78, count: 9_000_000))])
        let file = Cell<Result<JournalSocket.ServerFile, SystemError>>(.success(.init(device: 1, inode: 7)))
        var socket = JournalSocket(path: path) { _ throws(SystemError) in try file.value.get() }
        var outcomes = [socket.send(large)]
        for error in [ENOMEM, EACCES] {
            file.update { $0 = .failure(SystemError(error, "looking")) }
            socket.disconnectIfReplaced()
            file.update { $0 = .success(.init(device: 1, inode: 7)) }
            outcomes.append(socket.send(large))
        }
        #expect(outcomes == [.sent, .unread, .unread])
        // The same number in another file system.
        file.update { $0 = .success(.init(device: 2, inode: 7)) }
        socket.disconnectIfReplaced()
        outcomes = [socket.send(large)]
        #expect(outcomes == [.sent] && journald.rest().count == 2)
    }

    @Test func largeRecordsWaitUntilEarlierOnesAreRead() async throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        let large = JournalField("BIG", bytes: [UInt8](repeating: 0x78, count: 9_000_000))
        for index in 0..<3 { #expect(writer.write(.info, number(index) + [large])) }
        try await eventually("the first is sent") { writer.queued == 2 }
        let log = Cell<[String?]>([])
        try await eventually("the others follow") {
            for record in journald.rest() { log.append(record.text("MESSAGE")) }
            return log.value.count == 3
        }
        #expect(log.value == ["0", "1", "2"])
        #expect(writer.drain(within: .seconds(10)) && writer.dropped == [:])
    }

    /// A journald that reads nothing: its socket accepts some records, the others wait, and arrive later in order.
    @Test func slowJournaldDoesNotBlockWriters() async throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        let begun = ContinuousClock.now
        for index in 0..<2000 { #expect(writer.write(.info, number(index))) }
        // A writer that waited for this journald would wait for ever.
        #expect(ContinuousClock.now - begun < .seconds(30))
        #expect(writer.queued > 0 && !writer.drain(within: .milliseconds(1)))
        let log = Cell<[String?]>([])
        try await eventually("all records arrive") {
            for record in journald.rest() { log.append(record.text("MESSAGE")) }
            return log.value.count == 2000
        }
        #expect(log.value == (0..<2000).map { "\($0)" })
        #expect(writer.drain(within: .seconds(10)) && writer.queued == 0 && writer.dropped == [:])
    }

    /// Each receipt is called when its record is with the kernel, and a record that is cancelled before is not written.
    @Test func cancelledRecordsAreNotWritten() async throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        let log = Cell<[String]>([])
        let receipts = (0..<2000).map { number in WriteReceipt { log.append("\(number) \($0)") } }
        for (index, receipt) in receipts.enumerated() { writer.write(.info, number(index), receipt) }
        let sent = 2000 - writer.queued
        #expect(sent > 0 && sent < 2000 && log.value == (0..<sent).map { "\($0) written" })
        for index in 0..<1999 { receipts[index].cancel() }
        let arrived = Cell<[String?]>([])
        try await eventually("the last record arrives") {
            for record in journald.rest() { arrived.append(record.text("MESSAGE")) }
            return log.value.count == 2000
        }
        #expect(writer.drain(within: .seconds(10)) && writer.queued == 0 && writer.dropped == [:])
        for record in journald.rest() { arrived.append(record.text("MESSAGE")) }
        // The record that was next may have been in transit.
        let written = log.value.filter { $0.hasSuffix(" written") }
        #expect(arrived.value.map { "\($0 ?? "") written" } == written && (sent + 1...sent + 2) ~= written.count)
        #expect(arrived.value.last == "1999")
    }

    @Test func displacedRecordsFail() throws {
        let writer = JournalWriter(path: path, capacity: 2)
        let log = Cell<[String]>([])
        func write(_ index: Int, _ priority: JournalPriority) {
            writer.write(
                priority, number(index),
                WriteReceipt { if case .failed(let error) = $0 { log.append("\(index) \(error)") } })
        }
        for (index, priority) in [JournalPriority.info, .info, .info, .err].enumerated() { write(index, priority) }
        let reason = "connecting to journald at \(path): No such file or directory"
        // The first, unless it was being sent, in vain.
        #expect(log.value == ["2 \(reason)", "0 \(reason)"] || log.value == ["2 \(reason)", "1 \(reason)"])
    }

    @Test func recordsWaitForMissingJournald() async throws {
        let writer = JournalWriter(path: path)
        for index in 0..<10 { #expect(writer.write(.info, number(index))) }
        #expect(writer.queued == 10)
        #expect(writer.lastError?.description == "connecting to journald at \(path): No such file or directory")

        let journald = try FakeJournald(path)
        #expect(writer.drain(within: .seconds(10)))
        #expect(journald.rest().map { $0.text("MESSAGE") } == (0..<10).map { "\($0)" })
        #expect(writer.lastError == nil && writer.queued == 0)
        #expect(writer.write(.info, number(10)) && journald.next()?.text("MESSAGE") == "10")
    }

    @Test func restartedJournaldIsFound() async throws {
        var journald: FakeJournald? = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        for round in 0..<5 {
            // At once, if another journald runs when the first record is refused.
            #expect(writer.write(.info, number(round)))
            #expect(writer.drain(within: .seconds(10)))
            #expect(journald?.next()?.text("MESSAGE") == "\(round)")
            journald = nil
            if round % 2 == 0 { #expect(writer.write(.info, number(100 + round))) }
            journald = try FakeJournald(path)
            if round % 2 == 0 {
                #expect(writer.drain(within: .seconds(10)))
                #expect(journald?.next()?.text("MESSAGE") == "\(100 + round)")
            }
        }
        #expect(writer.dropped == [:])
    }

    /// The record that finds the connection closed need not wait for another attempt.
    @Test func restartedJournaldGetsRecordAtOnce() throws {
        var journald: FakeJournald? = try FakeJournald(path)
        var socket = JournalSocket(path: path)
        let record = JournalDatagram.encode(.info, number(1))
        var outcomes = [socket.send(record)]
        #expect(outcomes == [.sent] && journald?.rest().count == 1)
        journald = nil
        let next = try FakeJournald(path)
        outcomes = [socket.send(record)]
        #expect(outcomes == [.sent] && next.rest().count == 1)
    }

    /// A journald hangs, and another replaces it while the first has not closed its socket.
    @Test func hungJournaldIsReplacedByNext() async throws {
        let first = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        for index in 0..<1000 { #expect(writer.write(.info, number(index))) }
        let waiting = writer.queued
        #expect(waiting > 0)
        let second = try FakeJournald(path)
        let log = Cell<[String?]>([])
        try await eventually("the other records arrive at the next journald") {
            for record in second.rest() { log.append(record.text("MESSAGE")) }
            return log.value.count == waiting
        }
        #expect(log.value == ((1000 - waiting)..<1000).map { "\($0)" })
        withExtendedLifetime(first) {}
    }

    @Test func urgentRecordsDisplaceOthers() async throws {
        let writer = JournalWriter(path: path, capacity: 100)
        for index in 0..<150 { #expect(writer.write(.info, number(index)) == (index < 100)) }
        for index in 200..<260 { #expect(writer.write(.err, number(index))) }
        #expect(!writer.write(.debug, number(300)))
        #expect(writer.queued == 100)
        #expect(writer.dropped == [.info: 110, .debug: 1])
        let journald = try FakeJournald(path)
        let log = Cell<[String?]>([])
        try await eventually("the remaining records arrive") {
            for record in journald.rest() { log.append(record.text("MESSAGE")) }
            return log.value.count == 100
        }
        // The record that was being sent, each time in vain, was not displaced: the next was displaced instead.
        let arrived = log.value.compactMap { $0 }.compactMap { Int($0) }
        #expect(arrived.count == 100 && (0...60).contains(arrived.first ?? -1))
        #expect(arrived.dropFirst().elementsEqual(Array(61..<100) + Array(200..<260)))
    }

    @Test func concurrentWritersLoseNothing() async throws {
        let journald = try FakeJournald(path)
        let writer = JournalWriter(path: path)
        let done = Cell(false)
        let log = Cell<[String?]>([])
        let producer = TestSupport.Thread {
            inParallel(4) { thread in
                for index in 0..<500 { writer.write(.info, [JournalField("MESSAGE", "\(thread * 1000 + index)")]) }
            }
            done.update { $0 = true }
        }
        try await eventually("all records arrive") {
            for record in journald.rest() { log.append(record.text("MESSAGE")) }
            return done.value && log.value.count == 2000
        }
        producer.join()
        let numbers = log.value.compactMap { $0.flatMap { Int($0) } }
        for thread in 0..<4 {
            #expect(numbers.filter { $0 / 1000 == thread } == (0..<500).map { thread * 1000 + $0 })
        }
    }

    @Test func releasedWriterLeavesNothing() async throws {
        let before = ProcessStatistics.current().descriptors
        for _ in 0..<50 {
            let writer = JournalWriter(path: path)
            writer.write(.info, number(1))
        }
        let journald = try FakeJournald(path)
        for _ in 0..<50 {
            let writer = JournalWriter(path: path)
            for index in 0..<5 { writer.write(.info, number(index)) }
        }
        try await eventually("all descriptors are closed") { ProcessStatistics.current().descriptors < before + 20 }
        withExtendedLifetime(journald) {}
    }

    @Test func descriptorShortageIsTemporary() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryDirectory()
            let path = folder("journald")
            let journald = try FakeJournald(path)
            let writer = JournalWriter(path: path)
            #expect(writer.write(.info, []))
            #expect(journald.next() != nil)
            let large = [JournalField("BIG", bytes: [UInt8](repeating: 0x41, count: 9_000_000))]
            try await withoutDescriptors {
                #expect(writer.write(.err, large))
                #expect(writer.write(.info, [JournalField("MESSAGE", "small")]))
                try await eventually("the reason is reported") { writer.lastError?.number == EMFILE }
            }
            let log = Cell<[FakeJournald.Record]>([])
            try await eventually("both records arrive when there is room again") {
                for record in journald.rest() { log.append(record) }
                return log.value.count == 2
            }
            #expect(log.value.first?.fields["BIG"]?.count == 9_000_000 && log.value.last?.text("MESSAGE") == "small")
        }
    }
}

struct JournalBacklogTests {
    /// Whether there was room for each of these.
    private func add(_ items: [(JournalPriority, [UInt8])], _ backlog: inout JournalBacklog) -> [Bool] {
        var taken: [Bool] = []
        for (priority, bytes) in items { taken.append(backlog.add(priority, bytes).isTaken) }
        return taken
    }

    private func messages(_ backlog: inout JournalBacklog) -> [UInt8] {
        var messages: [UInt8] = []
        while let item = backlog.takeFirst() { messages += item.bytes }
        return messages
    }

    @Test func orderIsKeptAcrossPriorities() {
        var backlog = JournalBacklog(capacity: 100, byteCapacity: 100)
        let taken = add([(.info, [0]), (.err, [1]), (.debug, [2]), (.info, [3]), (.emerg, [4])], &backlog)
        #expect(taken == [true, true, true, true, true])
        #expect(backlog.takeFirst()?.bytes == [0])
        backlog.putBack()
        #expect(messages(&backlog) == [0, 1, 2, 3, 4])
        #expect(backlog.count == 0)
    }

    @Test func leastUrgentRecordIsDisplacedFirst() {
        var backlog = JournalBacklog(capacity: 3, byteCapacity: 100)
        let taken = add(
            [
                (.debug, [0]), (.err, [1]), (.debug, [2]), (.info, [3]), (.debug, [4]), (.crit, [5]), (.info, [6]),
                (.crit, [7]), (.err, [8]),
            ], &backlog)
        #expect(taken == [true, true, true, true, false, true, false, true, false])
        #expect(messages(&backlog) == [1, 5, 7])
        #expect(backlog.dropped == [0, 0, 0, 1, 0, 0, 2, 3])
    }

    @Test func backlogIsBoundedByBytes() {
        var backlog = JournalBacklog(capacity: 100, byteCapacity: 10)
        let four = [UInt8](repeating: 1, count: 4)
        #expect(add([(.info, four), (.info, four), (.info, four)], &backlog) == [true, true, false])
        // Two are displaced for one.
        #expect(add([(.err, [UInt8](repeating: 2, count: 9))], &backlog) == [true])
        #expect(backlog.count == 1)
        #expect(add([(.emerg, [UInt8](repeating: 3, count: 11))], &backlog) == [false])
        #expect(backlog.count == 1 && backlog.dropped.reduce(0, +) == 4)
    }

    @Test func recordsAreDisplacedOnlyIfThatSuffices() {
        var backlog = JournalBacklog(capacity: 100, byteCapacity: 10)
        let four = [UInt8](repeating: 1, count: 4)
        #expect(add([(.debug, [0, 0]), (.info, four), (.info, four)], &backlog) == [true, true, true])
        // There would be no room even without the less urgent one.
        #expect(add([(.info, four)], &backlog) == [false])
        #expect(backlog.count == 3 && backlog.dropped == [0, 0, 0, 0, 0, 0, 1, 0])
        #expect(add([(.info, [1, 1])], &backlog) == [true])
        #expect(backlog.dropped == [0, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test func recordInTransitKeepsItsSpace() {
        var backlog = JournalBacklog(capacity: 2, byteCapacity: 10)
        #expect(add([(.info, [0, 0, 0, 0]), (.info, [1])], &backlog) == [true, true])
        #expect(backlog.takeFirst()?.bytes == [0, 0, 0, 0])
        #expect(backlog.count == 2)
        #expect(add([(.info, [2]), (.err, [3, 3, 3, 3, 3, 3, 3]), (.err, [4])], &backlog) == [false, false, true])
        backlog.putBack()
        #expect(messages(&backlog) == [0, 0, 0, 0, 4])
        #expect(backlog.dropped == [0, 0, 0, 1, 0, 0, 2, 0])
    }

    /// After any operation, the counts agree with a list that does the same in the slow way.
    @Test func backlogAgreesWithModel() {
        typealias Record = (priority: JournalPriority, bytes: [UInt8])
        var backlog = JournalBacklog(capacity: 20, byteCapacity: 60)
        var model: [Record] = []
        var outgoing: [Record] = []
        var lost = 0
        func fits(_ records: [Record], _ size: Int) -> Bool {
            records.count < 20 && records.reduce(0, { $0 + $1.bytes.count }) + size <= 60
        }
        var random = SystemRandomNumberGenerator()
        for step in 0..<5000 {
            switch UInt8.random(in: 0..<6, using: &random) {
            case 0:
                outgoing = Array(model.prefix(1))
                model.removeFirst(outgoing.count)
                #expect(backlog.takeFirst()?.bytes == outgoing.first?.bytes)
            case 1:
                model = outgoing + model
                outgoing = []
                backlog.putBack()
            default:
                let priority = JournalPriority.allCases.randomElement(using: &random) ?? .info
                let size = Int.random(in: 0...8, using: &random)
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: size)
                var isTaken = fits(outgoing + model.filter { $0.priority <= priority }, size)
                while isTaken, !fits(outgoing + model, size) {
                    guard let least = model.map(\.priority).max(), least > priority,
                        let index = model.firstIndex(where: { $0.priority == least })
                    else {
                        Issue.record("nothing makes way")
                        isTaken = false
                        break
                    }
                    model.remove(at: index)
                    lost += 1
                }
                if isTaken { model.append((priority, bytes)) } else { lost += 1 }
                #expect(add([(priority, bytes)], &backlog) == [isTaken])
            }
            #expect(backlog.count == outgoing.count + model.count && backlog.dropped.reduce(0, +) == lost)
        }
    }
}
