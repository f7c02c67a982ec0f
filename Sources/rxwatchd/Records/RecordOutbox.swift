import RxLinux
import RxPipelines

/// Writes records without making anyone wait: to the journal where standard error leads there, else to the terminal.
final class RecordOutbox: RecordWriter {
    /// How many records may wait. What comes on top is dropped, and counted.
    static let capacity = 10_000

    private let outbox: Outbox<Record>
    /// Whether records go to the journal.
    let writesToJournal: Bool

    init(writesToJournal: Bool = Journal.isStandardError) {
        self.writesToJournal = writesToJournal
        outbox = Outbox("rx.records", capacity: Self.capacity) { record in
            if writesToJournal { record.sendToJournal() } else { record.printOnTerminal() }
        }
    }

    var queued: Int { outbox.queued }
    var dropped: Int { outbox.dropped }

    func write(_ record: Record) {
        outbox.put(record)
    }

    /// Waits until what was written has gone out, but no longer than `deadline`.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        outbox.drain(within: deadline)
    }
}
