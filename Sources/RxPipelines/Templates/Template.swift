import RxDiagnostics
import RxJQ
import RxJSON

/// A text with jq expressions in it: `"beat {{.beat}} at {{.at}}"`.
///
/// An output that is a string is inserted as it is, any other as compact JSON. Several outputs are joined by a space;
/// no output inserts nothing. A `}}` inside a string or an object of the expression does not end it, and outside of an
/// expression it is literal. For a literal `{{`, write `{{"{{"}}`.
///
/// All expressions of a template are one jq program, which is compiled once and runs once for each text.
package struct Template: Sendable {
    let parts: [TemplateParser.Part]
    private let program: JQProgram?
    /// The location of the only expression, or of the whole text if it has none or several.
    let locationCell: SourceLocationCell

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - variables: the names of the variables that `render` binds.
    ///   - batch: the batch that compiles the expressions later; `nil` to compile them at once.
    package init(_ text: LocatedText, variables: [String] = [], in batch: JQBatch? = nil) throws(Diagnostics) {
        let (parts, expressions) = try TemplateParser.parse(text)
        self.parts = parts
        guard let first = expressions.first else {
            program = nil
            locationCell = SourceLocationCell(text.location)
            return
        }
        // The bracket is on a line of its own: the expression may end with a comment.
        var pieces: [JQSource.Piece] = []
        for expression in expressions {
            pieces += [.glue(pieces.isEmpty ? "[[" : "\n],["), .user(expression)]
        }
        let program = try JQProgram(
            pieces + [.glue("\n]]")], variables: variables,
            at: expressions.count == 1 ? first.location : text.location, in: batch)
        self.program = program
        locationCell = program.locationCell
    }

    package init(_ text: String, at location: SourceLocation, variables: [String] = []) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables)
    }

    /// The text for an input.
    ///
    /// - Parameters:
    ///   - input: the value of `.`.
    ///   - values: the values of the variables.
    ///   - refusesNull: whether an output of null is an error, for example in a command or a URL.
    ///   - client: the client of the jq evaluators; `nil` for none.
    package func render(
        _ input: JSON, _ values: [String: JSON] = [:], refusesNull: Bool = false, for client: JQClient? = nil
    ) throws(JQError) -> String {
        let outputs = try program?.run(input, values, for: client).first?.array ?? []
        var rest = outputs[...]
        var text = ""
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .expression:
                let outputs = rest.popFirst()?.array ?? []
                if refusesNull, outputs.contains(.null) {
                    throw JQError(
                        "an expression in it is null; if that can happen, give a default: // \"none\"")
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
