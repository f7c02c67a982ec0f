import RxLinux

/// A record of the daemon, before it becomes a journal entry or a line on a terminal.
package struct Record: Sendable {
    package let kind: RecordKind
    package let priority: Priority
    package let message: String
    /// The configuration generation that the record belongs to.
    package let generation: Int
    /// The daemon's fields, in order.
    package let fields: [(field: RecordField, value: String)]
    /// The fields that the configuration names, in order.
    package let ownFields: [(name: String, value: String)]

    package init(
        _ kind: RecordKind, _ priority: Priority = .info, generation: Int, _ message: String,
        _ fields: KeyValuePairs<RecordField, String?> = [:], ownFields: [(name: String, value: String)] = []
    ) {
        self.kind = kind
        self.priority = priority
        self.generation = generation
        self.message = message
        self.ownFields = ownFields
        self.fields = fields.compactMap { field, value in value.map { (field, $0) } }
    }

    /// The value of a field; `nil` if the record does not have it.
    package subscript(field: RecordField) -> String? {
        fields.first { $0.field == field }?.value
    }
}

/// Writes records. Writing never blocks.
package protocol RecordWriter: Sendable {
    /// Writes a record.
    func write(_ record: Record)

    /// Writes a record, and reports the outcome to the receipt.
    func write(_ record: Record, _ receipt: WriteReceipt)
}

extension RecordWriter {
    package func write(_ record: Record, _ receipt: WriteReceipt) {
        write(record)
        receipt.end(.written)
    }
}
