import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Events that an operator drops.
extension SpooledSinkTests {
    private func drop(_ ids: Set<String>?, from sink: SpooledSink) async throws -> Int {
        let count = Cell(-1)
        sink.drop({ ids?.contains($0) ?? true }) { dropped in count.update { $0 = (try? dropped.get()) ?? -2 } }
        try await eventually("the events are dropped") { count.value != -1 }
        return count.value
    }

    /// A sink with 2500 stored events, of which some are in the queue of the inner sink.
    private func sinkWithStoredEvents() async throws -> (SpooledSink, FakeSink) {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("all events are stored, and some are fed") {
            sink.spooled == 2500 && sink.queued == 0 && fake.queued > 500
        }
        return (sink, fake)
    }

    /// On disk, and in the queue of the inner sink.
    @Test func allEventsAreDropped() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("all events are stored, and some are fed") { sink.spooled == 2500 && fake.queued > 500 }
        try await eventually("no more is fed") { sink.queued == 0 }
        #expect(try await drop(nil, from: sink) == 2500)
        #expect(store.count == 0 && fake.queued == 0 && fake.done.value.isEmpty && unsettled.count == 0)
        try await eventually("they are counted") { sink.spooled == 0 && sink.dropped == 2500 }
        give(2500..<2501, to: sink)
        try await eventually("the next event is delivered") {
            fake.finish()
            return fake.done.value == [2500]
        }
        sink.dispose()
    }

    @Test func eventsAreDroppedByID() async throws {
        let (sink, fake) = try await sinkWithStoredEvents()
        #expect(try await drop(["s:r:1", "s:r:2400", "s:r:9999"], from: sink) == 2)
        #expect(try await drop(["s:r:1", "s:r:2400"], from: sink) == 0)
        // The inner sink records what it drops.
        let recorded = records.value.filter { $0.priority == .debug }
        #expect(recorded.map(\.message) == ["p: fake dropped the event s:r:2400: on request"])
        #expect(recorded.map { $0[.eventID] } == ["s:r:2400"])
        try await eventually("the others are delivered") {
            fake.finish()
            return fake.done.value.count == 2498
        }
        let expected = (0..<2500).filter { $0 != 1 && $0 != 2400 }.map { JSON.number(Double($0)) }
        #expect(fake.done.value == expected)
        try await eventually("they are removed") { store.count == 0 }
        sink.dispose()
    }

    /// A sink that has not started does not know which events the replaced one is working on; one that has ended passes the
    /// request on.
    @Test func eventsOfReplacedSinkAreNotDropped() async throws {
        let (first, fake) = try sink(limit: 1 << 20)
        first.start()
        give(0..<10, to: first)
        try await eventually("the events are fed") { fake.queued == 10 && store.count == 10 }
        let (second, other) = try sink(limit: 1 << 20, inPlaceOf: first)
        #expect(try await drop(nil, from: second) == -2)
        #expect(store.count == 10 && fake.queued == 10)
        let ended = Cell(false)
        first.handOver { _ in ended.update { $0 = true } }
        try await eventually("the first has ended") { ended.value }
        #expect(try await drop(nil, from: first) == -2)
        second.start()
        try await eventually("the events are fed again") { other.queued == 10 }
        #expect(try await drop(nil, from: first) == 10)
        #expect(store.count == 0 && other.queued == 0)
        second.dispose()
        first.dispose()
    }

    /// Nothing is dropped then, and nothing says so.
    @Test func eventsOfUnreadableStoreAreNotDropped() async throws {
        let (sink, _) = try await sinkWithStoredEvents()
        store.unreadable = 2200
        #expect(try await drop(nil, from: sink) == -2)
        #expect(records.value.allSatisfy { $0.priority != .debug } && store.count == 2500)
        store.unreadable = .max
        sink.dispose()
    }

    /// Events that are not stored are settled when they are dropped; what cannot be removed now is removed later.
    @Test func eventsOfFailingStoreAreDropped() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<10, to: sink)
        try await eventually("the events are fed") { fake.queued == 10 }
        store.isFailing = true
        give(10..<20, to: sink)
        try await eventually("the failure is recorded") { messages.contains { $0.contains("spool failed") } }
        #expect(try await drop(nil, from: sink) == 20)
        try await eventually("all are settled") { unsettled.count == 0 && fake.queued == 0 }
        store.isFailing = false
        try await eventually("they are removed") { store.count == 0 }
        #expect(fake.done.value.isEmpty)
        sink.dispose()
    }
}
