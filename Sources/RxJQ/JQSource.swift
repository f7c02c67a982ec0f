import RxDiagnostics

/// A program composed of the user's texts and the glue between them.
///
/// It has two forms: the one that is compiled, and a spread form in which each token of the user's texts has a line of
/// its own. jq reports only the line of an error; after a compilation of the spread form, that line gives the column.
package struct JQSource {
    /// A part of a program.
    package enum Piece {
        /// A text that this module or its caller has generated.
        case glue(String)
        /// A text that the user has written.
        case user(LocatedText)
    }

    let pieces: [Piece]
    /// The names of the variables that the program uses, without their `$`.
    let variables: [String]
    /// The definitions that replace builtins; see `JQPrelude`.
    let prelude: String

    /// Creates a program from its pieces; `variables` are the names that it may use.
    init(_ pieces: [Piece], variables: [String]) {
        self.pieces = pieces
        let text = Self.text(pieces)
        self.variables = variables.filter { text.contains("$\($0)") }
        prelude = JQPrelude.definitions(for: text)
    }

    var users: [LocatedText] {
        pieces.compactMap { if case .user(let text) = $0 { text } else { nil } }
    }

    /// The program in the form in which jq looks for errors.
    ///
    /// jq binds variables only while it compiles. So a program with variables receives an array of the input and the
    /// variables' values as its input, and destructures it. The user's text comes last, without brackets around it: a
    /// superfluous closing bracket in it is a syntax error.
    var text: String { prelude + opening + body }

    /// The program in the form that is run: it passes every output to the callback of `debug`.
    var program: String { "\(opening)\(Self.capturingOutputs("\(prelude)\(body)\n", "debug|empty", usesPaths))" }

    /// Returns an expression that pipes the outputs of `program` into the expression `by`, and has no outputs itself.
    ///
    /// If an evaluation stops while `path(…)` has outputs left, the next start of libjq 1.6 fails an assertion, unless
    /// that `path(…)` is inside another one. So a program that uses paths is put inside one, in a position that does
    /// not change its meaning, and can be stopped anywhere. This costs time, so other programs do without it.
    static func capturingOutputs(_ program: String, _ by: String, _ usesPaths: Bool) -> String {
        usesPaths ? "path(.[(\(program))|\(by)])" : "(\(program))|\(by)"
    }

    /// Whether the brackets of the user's texts are balanced, so that none closes a bracket around the program.
    var isBalanced: Bool { users.allSatisfy { JQScanner.isBalanced($0.text) } }

    /// Whether the program may use `path(…)`, itself or inside a builtin.
    var usesPaths: Bool {
        let words = ["path", "INDEX", "bsearch", "del", "entries", "map_values", "tostream", "_assign", "_modify"]
        let text = body
        if words.contains(where: text.contains) { return true }
        // Look for an assignment, as opposed to a comparison.
        let bytes = Array(text.utf8)
        let sign = UInt8(ascii: "=")
        return bytes.indices.contains { index in
            let before = index > 0 ? bytes[index - 1] : 0
            let after = index + 1 < bytes.count ? bytes[index + 1] : 0
            return bytes[index] == sign && after != sign && !"=<>!".utf8.contains(before)
        }
    }

    /// The program without its prelude and opening.
    var body: String { Self.text(pieces) }

    /// The expression that binds the variables before the program.
    var opening: String {
        let names = variables.map { ",$\($0)" }.joined()
        return variables.isEmpty ? ".|" : ". as [$__input\(names)]|$__input|"
    }

    private static func text(_ pieces: [Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .glue(let glue): glue
            case .user(let user): user.text
            }
        }.joined()
    }
}
