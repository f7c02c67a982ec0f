import Dispatch
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

extension SpooledSinkTests {
    /// A store in memory.
    final class MemoryStore: SpoolStore {
        private struct Contents {
            var rows: [(number: Int64, event: SpooledEvent)] = []
            var next: Int64 = 1
            var isFailing = false
            var isFull = false
            var unreadable = Int64.max
        }
        private let contents = Locked(Contents())
        /// Called before each update.
        let onUpdate = Cell<@Sendable () -> Void> {}

        var isFailing: Bool {
            get { contents.withLock { $0.isFailing } }
            set { contents.withLock { $0.isFailing = newValue } }
        }
        /// Whether the store accepts no events.
        var isFull: Bool {
            get { contents.withLock { $0.isFull } }
            set { contents.withLock { $0.isFull = newValue } }
        }
        /// Events after this number cannot be read.
        var unreadable: Int64 {
            get { contents.withLock { $0.unreadable } }
            set { contents.withLock { $0.unreadable = newValue } }
        }
        var count: Int { contents.withLock { $0.rows.count } }
        var failures: [Int64] { contents.withLock { $0.rows.filter { $0.event.failure != nil }.map(\.number) } }

        /// The progress of the receivers of failed events.
        var receivers: [SinkProgress] { contents.withLock { $0.rows.compactMap { $0.event.failure?.receivers } } }

        func sinks() throws -> [String] { [] }
        func sinksReadAtOnce() -> Set<String>? { [] }
        func latestReadAtOnce() -> [LatestSpooledEvent] { [] }

        func size(of sink: String) throws -> (count: Int, bytes: Int) {
            contents.withLock { ($0.rows.count, $0.rows.reduce(0) { $0 + $1.event.bytes }) }
        }

        func lastNumber(of sink: String) throws -> Int64 { contents.withLock { $0.rows.last?.number ?? 0 } }

        func update(_ sink: String, _ changes: SpoolChanges) throws {
            onUpdate.value()
            try contents.withLock { contents in
                if contents.isFailing || contents.isFull && !changes.added.isEmpty {
                    throw TestError("disk full")
                }
                for (number, failure) in changes.failures {
                    guard let index = contents.rows.firstIndex(where: { $0.number == number }) else { continue }
                    let row = contents.rows[index].event
                    contents.rows[index].event = SpooledEvent(
                        row.event, row.value, ordinal: row.ordinal, suffix: row.suffix, failure: failure)
                }
                contents.rows.removeAll { changes.removed.contains($0.number) }
                for event in changes.added {
                    contents.rows.append((contents.next, event))
                    contents.next += 1
                }
            }
        }

        func events(of sink: String, after number: Int64, limit: Int, bytes: Int) throws -> [(
            number: Int64, event: SpooledEvent?
        )] {
            try contents.withLock { contents in
                if number >= contents.unreadable { throw TestError("cannot be read") }
                return contents.rows.filter { $0.number > number }.prefix(limit).map { ($0.number, $0.event) }
            }
        }
    }

    /// A sink that finishes its first event on a test's command.
    final class FakeSink: OpenSink {
        let context: SinkContext
        let waiting = Locked<[PipelineEvent]>([])
        let done = Cell<[JSON]>([])
        private let slow = Cell(false)
        private let ending = Locked<(@Sendable () -> Void)?>(nil)

        /// Whether the sink ends only when it is disposed.
        var isSlow: Bool {
            get { slow.value }
            set { slow.update { $0 = newValue } }
        }
        var isEnding: Bool { ending.withLock { $0 != nil } }

        init(_ context: SinkContext) {
            self.context = context
        }

        var queued: Int { waiting.withLock { $0.count } }
        func receive(_ event: PipelineEvent) -> Bool {
            waiting.withLock { $0.append(event) }
            return false
        }
        func fail() {
            let event = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let event { context.fail(TestError("no"), on: event) }
        }
        func finish() {
            let event = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let event else { return }
            done.append(event.value)
            context.finish(event)
        }
        func drop(
            _ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void
        ) {
            let dropped = waiting.withLock { waiting in
                defer { waiting.removeAll { isMatching($0.id) } }
                return waiting.filter { isMatching($0.id) }
            }
            for event in dropped { context.finish(event) }
            dropCount.update { $0 += dropped.count }
            done(.success(dropped.count))
        }
        private let dropCount = Cell(0)
        var dropped: Int { dropCount.value }
        func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
            let end: @Sendable () -> Void = {
                done(
                    self.waiting.withLock { waiting in
                        defer { waiting = [] }
                        return waiting
                    })
            }
            if isSlow { ending.withLock { $0 = end } } else { end() }
        }
        func dispose() {
            ending.withLock { $0.take() }?()
            waiting.withLock { $0 = [] }
        }
    }
}
