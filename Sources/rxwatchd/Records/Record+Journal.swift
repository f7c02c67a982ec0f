import RxLinux
import RxPipelines

extension Record {
    /// The record as a journal entry.
    var journalFields: [JournalField] {
        let head = [
            JournalField("MESSAGE", message),
            JournalField("PRIORITY", String(priority.number)),
            JournalField("SYSLOG_IDENTIFIER", "rxwatchd"),
            JournalField("MESSAGE_ID", kind.messageID),
            JournalField(RecordField.kind.rawValue, kind.rawValue),
            JournalField(RecordField.generation.rawValue, String(generation)),
        ]
        return head + fields.map { JournalField($0.field.rawValue, $0.value) }
    }

    /// Writes the record to the journal. Where journald refuses it, it goes to standard error: it must not get lost.
    func sendToJournal() {
        do {
            try Journal.send(journalFields)
        } catch {
            printOnTerminal()
        }
    }
}
