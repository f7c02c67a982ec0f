import RxDiagnostics

extension FieldType where Value == Template {
    /// A text with jq expressions in double braces, in which `$event` is bound.
    static var template: Self {
        template(example: "\"{{.path}} changed\"")
    }

    /// The same, with an example of its own; with `mayHoldCredential` one of which nothing is shown.
    ///
    /// - Parameters:
    ///   - pattern: what the schema says that it matches where it is no template.
    ///   - templatePattern: the same where it is one.
    static func template(
        _ what: String = "a text", example: String, mayHoldCredential: Bool = false, pattern: String? = nil,
        templatePattern: String = #"\{\{"#
    ) -> Self {
        let text = FieldType<LocatedText>.text(
            what, example: example, mayHoldCredential: mayHoldCredential,
            pattern: pattern.map { $0 == templatePattern ? $0 : "\($0)|\(templatePattern)" })
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let text = text.read(node, context) else { return nil }
            do throws(Diagnostics) {
                let template = try Template(text, variables: ["event"], in: context.expressions)
                context.keep(template.place)
                return template
            } catch {
                context.report.add(error)
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
    func render(_ event: PipelineEvent, refusesNull: Bool = false) throws(TemplateError) -> String {
        if let constant { return constant }
        do {
            return try render(event.value, ["event": event.binding], refusesNull: refusesNull)
        } catch {
            throw TemplateError(location: place.location, message: error.message)
        }
    }
}

/// A template of which an event makes no text.
struct TemplateError: Error, Hashable, CustomStringConvertible {
    /// Where the template stands in the config.
    let location: SourceLocation
    let message: String

    var description: String { "\(location): \(message)" }
}
