import RxDiagnostics
import RxJQ
import RxJSON

/// A text with jq expressions in it: `"beat {{.beat}} at {{.at}}"`.
///
/// An output that is a string stands for itself, any other is printed as compact JSON; several are joined by a space,
/// none leaves nothing. A `}}` inside a string or an object of the expression does not end it, and outside of one it is
/// a text like any other. A literal `{{` is an expression that gives it: `{{"{{"}}`.
///
/// All expressions of a template are one jq program: it compiles once and runs once for a text.
package struct Template: Sendable {
    let parts: [TemplateParser.Part]
    private let program: JQProgram?
    /// Where it stands: what is to be evaluated, or where that is in several places all of it.
    let place: SourceLocationCell

    /// `variables` are what `render` will bind; without a batch the expressions are compiled at once.
    package init(_ text: LocatedText, variables: [String] = [], in batch: JQBatch? = nil) throws(Diagnostics) {
        let (parts, expressions) = try TemplateParser.parse(text)
        self.parts = parts
        guard let first = expressions.first else {
            program = nil
            place = SourceLocationCell(text.location)
            return
        }
        // Closed on a line of its own, behind a comment that might end the expression.
        var pieces: [JQSource.Piece] = []
        for expression in expressions {
            pieces += [.glue(pieces.isEmpty ? "[[" : "\n],["), .user(expression)]
        }
        let program = try JQProgram(
            pieces + [.glue("\n]]")], variables: variables,
            at: expressions.count == 1 ? first.location : text.location, in: batch)
        self.program = program
        place = program.place
    }

    package init(_ text: String, at location: SourceLocation, variables: [String] = []) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables)
    }

    /// The text for an input.
    ///
    /// - Parameter refusesNull: whether a null in it is an error: what is missing has no place in a command or an
    ///   address.
    package func render(
        _ input: JSON, _ values: [String: JSON] = [:], refusesNull: Bool = false
    ) throws(JQError) -> String {
        let outputs = try program?.run(input, values).first?.array ?? []
        var rest = outputs[...]
        var text = ""
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .expression:
                let outputs = rest.popFirst()?.array ?? []
                if refusesNull, outputs.contains(.null) {
                    throw JQError(
                        "an expression in it gives null; where that may be, say what to put there: // \"none\"")
                }
                text += Self.text(of: outputs)
            }
        }
        return text
    }

    private static func text(of outputs: [JSON]) -> String {
        outputs.map { $0.string ?? $0.description }.joined(separator: " ")
    }
}
