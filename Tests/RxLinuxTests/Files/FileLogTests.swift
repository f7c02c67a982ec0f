import TestSupport
import Testing

@testable import RxLinux

/// The log of the changes that a subscriber has not acknowledged.
struct FileLogTests {
    @Test func acknowledgedLogIsFull() {
        var log = FileLog()
        let change = FileChange(.created, "/a")
        for number in 0..<FileLog.maximum { _ = log.add(change, identity: "\(number)") }
        #expect(!log.isFull)
        log.acknowledge(upTo: 0)
        #expect(log.isFull && !log.isHalfFree)
        log.acknowledge(upTo: UInt64(FileLog.maximum / 2))
        #expect(!log.isFull && log.isHalfFree)
    }

    @Test func logIsBounded() {
        var log = FileLog(id: 7)
        let change = FileChange(.created, "/a")
        for number in 1...FileLog.maximum + 5 as ClosedRange<Int> {
            #expect(log.add(change, identity: "\(number)").name == "\(number)")
        }
        #expect(log.all.count == FileLog.maximum && log.all.first?.number == 6)
        log.forget(upTo: UInt64(FileLog.maximum))
        #expect(log.all.map(\.number) == (1...5).map { UInt64(FileLog.maximum + $0) })
        #expect(log.add(change, identity: "x").name == "x" && log.add(change, identity: "x").name == "x:1")
        log.forget(upTo: .max)
        #expect(log.all.isEmpty && log.position.number == UInt64(FileLog.maximum + 7))
    }

    /// Paths of up to 4096 bytes take memory: such a change counts as several.
    @Test func longPathsCountAsSeveralChanges() {
        let change = FileChange(.created, BytePath(bytes: Array("/\(String(repeating: "a", count: 3999))".utf8)))
        #expect(change.weight == 16 && FileChange(.created, "/a").weight == 1)
        var log = FileLog(id: 7)
        for number in 1...FileLog.maximum / 16 + 5 { _ = log.add(change, identity: "\(number)") }
        #expect(log.all.count == FileLog.maximum / 16 && log.all.first?.number == 6)
        log.acknowledge(upTo: 6)
        #expect(!log.isFull && !log.isHalfFree)
        _ = log.add(change, identity: "x")
        #expect(log.isFull)
        log.acknowledge(upTo: UInt64(FileLog.maximum / 16 + 6))
        #expect(log.all.isEmpty && log.isHalfFree && !log.isFull)
        let calls = Cell(0)
        let window = FileWindow(limit: 32) { calls.update { $0 += 1 } }
        var slots = [window.enter(change)]
        #expect(!window.isFull)
        slots.append(window.enter(change))
        #expect(window.isFull)
        slots.removeLast()
        #expect(calls.value == 1 && window.isHalfFree)
    }
}
