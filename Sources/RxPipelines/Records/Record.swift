import RxLinux

/// One record of the daemon's, before it becomes a journal entry or a line on a terminal.
package struct Record: Sendable {
    package let kind: RecordKind
    package let priority: Priority
    package let message: String
    /// The config generation that it speaks of.
    package let generation: Int
    /// What else there is to know, in order.
    package let fields: [(field: RecordField, value: String)]
    /// Fields that the config names, in order.
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

    /// The value of a field, where the record has it.
    package subscript(field: RecordField) -> String? {
        fields.first { $0.field == field }?.value
    }
}

/// Where records go. Writing never waits.
package protocol RecordWriter: Sendable {
    func write(_ record: Record)

    /// Writes a record, and reports to the receipt what became of it.
    func write(_ record: Record, _ receipt: WriteReceipt)
}

extension RecordWriter {
    package func write(_ record: Record, _ receipt: WriteReceipt) {
        write(record)
        receipt.end(.written)
    }
}
