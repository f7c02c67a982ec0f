import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxYAML

/// `journal: { priority: info, message: TEMPLATE, fields: { NAME: TEMPLATE }, queue: 100 }`, or `journal`: writes a
/// record of kind `event` for each event.
struct JournalSink: SinkKind {
    let priority: Priority
    /// `nil` for the event's value itself.
    let message: Template?
    /// The fields of the record besides the daemon's own.
    var fields: [(name: String, value: Template)] = []
    var policy = QueuePolicy()
    var settings = SinkSettings()
    var spool: Int? { policy.disk }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        guard !node.isNull else { return JournalSink(priority: .info, message: nil) }
        var fields = FieldReader(node, in: "journal", short: "message", context)
        let priority = fields.optional(
            "priority", .choice() as FieldType<Priority>, "The priority of the record; default: info")
        let message = fields.optional("message", .template, "The text of the record; default: the event as JSON")
        let own =
            fields.optional(
                "fields",
                .map(
                    of: .template(example: "\"{{.path}}\""),
                    names: "^(?!RX_|(?:\(taken.joined(separator: "|")))$)[A-Z][A-Z0-9_]{0,63}$"),
                "Additional fields of the record") ?? []
        for (name, location, _) in own { check(name, at: location, context.report) }
        let policy = QueuePolicy.read(&fields, hasOverlap: false)
        let settings = SinkSettings.read(&fields, recordsAll: nil)
        guard fields.finish() else { return nil }
        return JournalSink(
            priority: priority ?? .info, message: message, fields: own.map { ($0.name, $0.value) },
            policy: policy, settings: settings)
    }

    /// The journal fields that every record of the daemon has.
    private static let taken = ["MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER"]

    private static func check(_ name: String, at location: SourceLocation, _ report: Report) {
        let isName = name.utf8.enumerated().allSatisfy { offset, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): offset > 0
            default: false
            }
        }
        if !isName || !(1...64).contains(name.utf8.count) {
            report.add(
                "'\(name)' is not a valid field name: it must begin with a capital letter and have up to 64 capital "
                    + "letters, digits and '_', such as CERT_PATH", at: location)
        } else if name.hasPrefix("RX_") || taken.contains(name) {
            report.add(
                "'\(name)' cannot be set: the daemon writes this field itself; choose another name", at: location)
        }
    }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        let (text, own) = try content(for: event, context.client)
        let shown = own.map { " \($0.name)=\($0.value)" }.joined()
        return SinkAction(
            "record \(priority.rawValue): \(text)\(shown)",
            [
                "priority": .string(priority.rawValue), "message": .string(text),
                "fields": SinkAction.members(own),
            ])
    }

    private func content(
        for event: PipelineEvent, _ client: JQClient?
    ) throws -> (text: String, own: [(name: String, value: String)]) {
        (
            try message?.render(event, for: client) ?? event.value.description,
            try fields.map { (name: $0.name, value: try $0.value.render(event, for: client)) }
        )
    }

    func open(in context: SinkContext) -> any OpenSink {
        let (records, failures, client) = (context.records, LineFailureCounter(context), context.client)
        let queue = SinkQueue(context, policy, maximum: context.maximumBatch, endsEachJob: true) { event in
            let (text, own) = try content(for: event, client)
            return Record(
                .event, priority, generation: context.generation, text,
                [
                    .pipeline: context.pipeline, .sink: "journal", .source: event.source,
                    .sequence: String(event.sequence), .cause: event.cause, .eventID: event.id,
                    .sourceTime: event.origin.recordedTime,
                ], ownFields: own)
        } batchWork: { batch, lines, _ in
            failures.work(batch, lines) { records.write($0, $1) }
        }
        return OpenLineSink(queue, failures)
    }
}
