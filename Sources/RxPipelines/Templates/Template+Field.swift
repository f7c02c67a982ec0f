extension FieldType where Value == Template {
    /// A text with jq expressions in double braces, in which `$event` is bound.
    static var template: Self {
        template(example: "\"{{.path}} changed\"")
    }

    /// The same, with an example of its own; with `mayHoldCredential` one of which nothing is shown.
    static func template(_ what: String = "a text", example: String, mayHoldCredential: Bool = false) -> Self {
        let text = FieldType<LocatedText>.text(what, example: example, mayHoldCredential: mayHoldCredential)
        return FieldType(text.expected, schema: text.schema) { node, report in
            guard let text = text.read(node, report) else { return nil }
            do throws(Diagnostics) {
                return try Template(text, variables: ["event"], in: report.expressions)
            } catch {
                report.add(error)
                return nil
            }
        }
    }
}

extension Template {
    /// The text, where it is the same for all events.
    var constant: String? {
        var text = ""
        for part in parts {
            guard case .text(let piece) = part else { return nil }
            text += piece
        }
        return text
    }

    /// The text for an event.
    func render(_ event: PipelineEvent) throws(JQError) -> String {
        if let constant { return constant }
        return try render(event.value, ["event": event.binding])
    }
}
