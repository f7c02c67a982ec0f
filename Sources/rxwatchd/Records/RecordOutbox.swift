import Glibc
import RxLinux
import RxPipelines

/// Writes records without blocking the caller: to the journal if standard error is connected to it, else to the
/// terminal. Records that exceed its capacity are dropped and counted.
final class RecordOutbox: RecordWriter {
    /// Where records are written.
    private enum Destination {
        case journal(JournalWriter)
        case terminal(Outbox<@Sendable () -> Void>)
    }

    private let destination: Destination
    private let limiter: RecordLimiter
    private let secrets: HiddenSecrets
    private let print: @Sendable (Record) -> Void

    /// - Parameter print: writes a record if it does not go to the journal.
    init(
        writesToJournal: Bool = Journal.isStandardError, limiter: RecordLimiter = RecordLimiter(),
        hiding secrets: HiddenSecrets = HiddenSecrets(),
        print: @escaping @Sendable (Record) -> Void = { $0.printOnTerminal() }
    ) {
        destination =
            writesToJournal
            ? .journal(JournalWriter())
            : .terminal(Outbox("rx.records", capacity: 10_000) { $0() })
        self.limiter = limiter
        self.secrets = secrets
        self.print = print
    }

    /// Whether records go to the journal.
    var writesToJournal: Bool {
        if case .journal = destination { true } else { false }
    }

    /// The number of records in the queue.
    var queued: Int {
        switch destination {
        case .journal(let writer): writer.queued
        case .terminal(let outbox): outbox.queued
        }
    }

    /// The number of records that were dropped because the queue was full.
    var dropped: Int {
        switch destination {
        case .journal(let writer): writer.dropped.values.reduce(0, +)
        case .terminal(let outbox): outbox.dropped
        }
    }

    func write(_ record: Record) {
        for record in limiter.pass(secrets.hidden(in: record)) { put(record) }
    }

    func write(_ record: Record, _ receipt: WriteReceipt) {
        let record = secrets.hidden(in: record)
        let (summaries, isAdmitted) = limiter.admit(record)
        for summary in summaries { put(summary) }
        if isAdmitted {
            put(record, receipt)
        } else {
            receipt.end(.failed(RecordLimitError(kind: record.kind)))
        }
    }

    /// Waits until all records are written, but no longer than `deadline`.
    ///
    /// - Returns: whether they were written in time.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        for record in limiter.rest() { put(record) }
        return switch destination {
        case .journal(let writer): writer.drain(within: deadline)
        case .terminal(let outbox): outbox.drain(within: deadline)
        }
    }

    private func put(_ record: Record, _ receipt: WriteReceipt? = nil) {
        switch destination {
        case .journal(let writer): writer.write(record.journalPriority, record.journalFields, receipt)
        case .terminal(let outbox):
            let hasRoom = outbox.put { [print] in
                if receipt?.begin() == false { return }
                print(record)
                receipt?.end(.written)
            }
            if !hasRoom { receipt?.end(.failed(SystemError(ENOBUFS, "queueing a record"))) }
        }
    }
}
