/// `journal: { priority: info, message: TEMPLATE }`, or `journal`: a record of kind `event` for each event.
struct JournalSink: SinkKind {
    let priority: Priority
    /// `nil` for the event's value itself.
    let message: Template?

    static func read(_ node: YAMLNode, _ report: Report) -> (any SinkKind)? {
        guard !node.isNull else { return JournalSink(priority: .info, message: nil) }
        var fields = Fields(node, in: "journal", short: "message", report)
        let priority = fields.optional("priority", .choice() as FieldType<Priority>)
        let message = fields.optional("message", .template)
        guard fields.finish() else { return nil }
        return JournalSink(priority: priority ?? .info, message: message)
    }

    func take(_ event: PipelineEvent, _ surroundings: SinkSurroundings) throws {
        let text = try message?.render(event.value, ["event": event.binding]) ?? event.value.description
        surroundings.records.write(
            Record(
                .event, priority, generation: surroundings.generation, text,
                [
                    .pipeline: surroundings.pipeline, .sink: "journal", .source: event.source,
                    .sequence: String(event.sequence), .cause: event.cause,
                ]))
    }
}

extension FieldType where Value == Template {
    /// A text with jq expressions in double braces, in which `$event` is bound.
    static var template: Self {
        let text = FieldType<LocatedText>.text("a text", example: "\"{{.path}} changed\"")
        return FieldType(text.expected, schema: text.schema) { node, report in
            guard let text = text.read(node, report) else { return nil }
            do throws(Diagnostics) {
                return try Template(text, variables: ["event"])
            } catch {
                report.add(error)
                return nil
            }
        }
    }
}
