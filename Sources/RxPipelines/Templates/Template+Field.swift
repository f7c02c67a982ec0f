import RxDiagnostics
import RxJQ

extension FieldType where Value == Template {
    /// A text with jq expressions in double braces, in which `$event` is bound.
    static var template: Self {
        template(example: "\"{{.path}} changed\"")
    }

    /// A template, with texts of its own for messages.
    ///
    /// - Parameters:
    ///   - what: what is expected, for messages.
    ///   - example: an example, for messages.
    ///   - mayHoldCredential: whether the text may contain a credential. Such a text is not shown.
    ///   - pattern: the pattern of a text without an expression, for the schema.
    ///   - templatePattern: the pattern of a text with an expression, for the schema.
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
                context.keep(template.locationCell)
                for expression in try TemplateParser.parse(text).expressions {
                    ExpressionWarnings.check(expression, isCondition: false, context.report)
                    context.note(expression)
                }
                return template
            } catch {
                context.report.add(error)
                return nil
            }
        }
    }
}

extension Template {
    /// The text if it contains no expression; otherwise `nil`.
    var constant: String? {
        var text = ""
        for part in parts {
            guard case .text(let piece) = part else { return nil }
            text += piece
        }
        return text
    }

    /// The text for an event.
    func render(
        _ event: PipelineEvent, refusesNull: Bool = false, for client: JQClient?
    ) throws(TemplateError) -> String {
        if let constant { return constant }
        do {
            return try render(event.value, ["event": event.binding], refusesNull: refusesNull, for: client)
        } catch {
            throw TemplateError(location: locationCell.location, message: error.message)
        }
    }
}

/// The failure of a template for an event.
struct TemplateError: Error, Hashable, CustomStringConvertible {
    /// The location of the template in the configuration.
    let location: SourceLocation
    let message: String

    var description: String { "\(location): \(message)" }
}
