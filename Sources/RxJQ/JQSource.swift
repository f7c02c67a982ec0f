import RxDiagnostics

/// A program put together from texts of the user's and the glue between them.
///
/// It can be written in two ways: as it is compiled, and spread out so that every token of the user's has a line of its
/// own. jq tells only the line of an error; compiled again in the second form, that line is a column.
package struct JQSource {
    package enum Piece {
        case glue(String)
        case user(LocatedText)
    }

    let pieces: [Piece]
    /// The names bound in the program that it uses, without their `$`.
    let variables: [String]
    /// What is put before it in place of builtins.
    let prelude: String

    /// `variables` are the names that it may use.
    init(_ pieces: [Piece], variables: [String]) {
        self.pieces = pieces
        let text = Self.text(pieces)
        self.variables = variables.filter { text.contains("$\($0)") }
        prelude = JQPrelude.definitions(for: text)
    }

    var users: [LocatedText] {
        pieces.compactMap { if case .user(let text) = $0 { text } else { nil } }
    }

    /// The program as the user wrote it, in which its mistakes are found.
    ///
    /// jq binds variables only while it compiles. So a program with variables is fed an array of the input and their
    /// values, and takes it apart. The user's text comes last with no bracket around it: one it closes too many is a
    /// syntax error.
    var text: String { prelude + opening + body }

    /// The program as it is run: what hands its outputs over as they come, by `debug`, stands around it.
    var program: String { "\(opening)\(Self.handingOver("\(prelude)\(body)\n", "debug|empty", usesPaths))" }

    /// An expression that hands over what a program gives, by another, and gives nothing.
    ///
    /// While `path(…)` has outputs left, libjq 1.6 fails an assertion if it is started anew, unless it does so within
    /// another `path(…)`. So that it can be stopped anywhere, a program that uses paths is put into one, in a place
    /// where that changes nothing. It takes its time, which others are spared.
    static func handingOver(_ program: String, _ by: String, _ usesPaths: Bool) -> String {
        usesPaths ? "path(.[(\(program))|\(by)])" : "(\(program))|\(by)"
    }

    /// Whether nothing around the program can be closed by it.
    var isBalanced: Bool { users.allSatisfy { JQScanner.isBalanced($0.text) } }

    /// Whether the program may use `path(…)`, if only within a builtin.
    var usesPaths: Bool {
        let words = ["path", "INDEX", "bsearch", "del", "entries", "map_values", "tostream", "_assign", "_modify"]
        let text = body
        if words.contains(where: text.contains) { return true }
        // An assignment, and no comparison.
        let bytes = Array(text.utf8)
        let sign = UInt8(ascii: "=")
        return bytes.indices.contains { index in
            let before = index > 0 ? bytes[index - 1] : 0
            let after = index + 1 < bytes.count ? bytes[index + 1] : 0
            return bytes[index] == sign && after != sign && !"=<>!".utf8.contains(before)
        }
    }

    /// The program without what stands before it.
    var body: String { Self.text(pieces) }

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
