import RxLinux
import RxPipelines

extension Record {
    var journalPriority: JournalPriority { JournalPriority(rawValue: priority.number) ?? .info }

    /// The fields of the record's journal entry, without its priority.
    var journalFields: [JournalField] {
        let head = [
            JournalField("MESSAGE", message),
            JournalField("SYSLOG_IDENTIFIER", "rxwatchd"),
            JournalField("MESSAGE_ID", kind.messageID),
            JournalField(RecordField.kind.rawValue, kind.rawValue),
            JournalField(RecordField.generation.rawValue, String(generation)),
        ]
        return head + fields.map { JournalField($0.field.rawValue, $0.value) }
            + ownFields.map { JournalField($0.name, $0.value) }
    }
}
