import RxControl
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// Writes lines to standard output. No caller waits.
///
/// A line that is refused, or finds no room, is dropped, and counted where it comes from; the first of several that are
/// refused in a row is recorded.
final class LineOutbox: Sendable {
    private let outbox: Outbox<(line: String, generation: Int, drops: DropCount)>

    init(
        records: any RecordWriter,
        print: @escaping @Sendable (String) -> SystemError? = { line in
            StandardStream.output.print(line).map { SystemError($0, "writing to it") }
        }
    ) {
        let writer = LineWriter(records: records, print: print)
        outbox = Outbox("rx.stdout", capacity: 10_000) { writer.write($0.line, generation: $0.generation, $0.drops) }
    }

    var queued: Int { outbox.queued }

    /// Queues a line of the config generation with this number.
    func put(_ line: String, generation: Int, _ drops: DropCount) {
        if !outbox.put((line, generation, drops)) { drops.add(1) }
    }

    /// Waits until what was queued has been written, but no longer than `deadline`.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        outbox.drain(within: deadline)
    }
}

/// What the outbox's worker does.
private final class LineWriter: Sendable {
    private let wasRefused = Atomic(false)
    private let records: any RecordWriter
    private let print: @Sendable (String) -> SystemError?

    init(records: any RecordWriter, print: @escaping @Sendable (String) -> SystemError?) {
        self.records = records
        self.print = print
    }

    func write(_ line: String, generation: Int, _ drops: DropCount) {
        let error = print(line)
        let isFirst = !wasRefused.exchange(error != nil, ordering: .relaxed)
        guard let error else { return }
        drops.add(1)
        guard isFirst else { return }
        records.write(
            Record(
                .sink, .err, generation: generation,
                "stdout failed: \(error); lines are dropped until one can be written again",
                [.sink: "stdout", .error: "\(error)", .errorType: "SystemError"]))
    }
}
