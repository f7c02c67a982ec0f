import Glibc
import RxLinux
import RxPipelines

/// Writes records without making anyone wait: to the journal where standard error leads there, else to the terminal.
/// What finds no room is dropped, and counted.
final class RecordOutbox: RecordWriter {
    private enum Way {
        case journal(JournalWriter)
        case terminal(Outbox<@Sendable () -> Void>)
    }

    private let way: Way
    private let limiter: RecordLimiter
    private let secrets: HiddenSecrets
    private let print: @Sendable (Record) -> Void

    /// - Parameter print: writes a record where that does not go to the journal.
    init(
        writesToJournal: Bool = Journal.isStandardError, limiter: RecordLimiter = RecordLimiter(),
        hiding secrets: HiddenSecrets = HiddenSecrets(),
        print: @escaping @Sendable (Record) -> Void = { $0.printOnTerminal() }
    ) {
        way =
            writesToJournal
            ? .journal(JournalWriter())
            : .terminal(Outbox("rx.records", capacity: 10_000) { $0() })
        self.limiter = limiter
        self.secrets = secrets
        self.print = print
    }

    /// Whether records go to the journal.
    var writesToJournal: Bool {
        if case .journal = way { true } else { false }
    }

    /// How many records wait.
    var queued: Int {
        switch way {
        case .journal(let writer): writer.queued
        case .terminal(let outbox): outbox.queued
        }
    }

    /// How many records found no room.
    var dropped: Int {
        switch way {
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

    /// Waits until what was written has gone out, but no longer than `deadline`.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        for record in limiter.rest() { put(record) }
        return switch way {
        case .journal(let writer): writer.drain(within: deadline)
        case .terminal(let outbox): outbox.drain(within: deadline)
        }
    }

    private func put(_ record: Record, _ receipt: WriteReceipt? = nil) {
        switch way {
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
