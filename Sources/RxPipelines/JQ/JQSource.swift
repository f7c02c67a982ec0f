/// A program put together from texts of the user's and the glue between them.
///
/// It can be written in two ways: as it is compiled, and spread out so that every token of the user's has a line of its
/// own. jq tells only the line of an error; compiled again in the second form, that line is a column.
struct JQSource {
    enum Piece {
        case glue(String)
        case user(LocatedText)
    }

    /// Where a line of the spread form comes from.
    struct Origin {
        var text: LocatedText
        var offset: Int
        /// It is glue behind this text, or the text's end: what is wrong is that something is missing.
        var isEnd: Bool
    }

    var pieces: [Piece]

    var users: [LocatedText] {
        pieces.compactMap { if case .user(let text) = $0 { text } else { nil } }
    }

    /// The program as it is compiled.
    var text: String {
        pieces.map { piece in
            switch piece {
            case .glue(let glue): glue
            case .user(let user): user.text
            }
        }.joined()
    }

    /// The program with a token a line, and the origin of each line.
    var spread: (text: String, origins: [Origin]) {
        guard var last = users.first.map({ Origin(text: $0, offset: 0, isEnd: false) }) else { return (text, []) }
        var lines = String.UnicodeScalarView()
        var origins: [Origin] = []
        for piece in pieces {
            switch piece {
            case .glue(let glue):
                lines += "\(glue)\n".unicodeScalars
                origins += glue.unicodeScalars.filter { $0 == "\n" }.map { _ in last }
                origins.append(last)
            case .user(let user):
                let scalars = Array(user.text.unicodeScalars)
                let breaks = JQScanner.breaks(in: scalars)
                origins.append(Origin(text: user, offset: 0, isEnd: false))
                for (offset, scalar) in scalars.enumerated() {
                    if breaks.contains(offset), offset > 0 {
                        lines.append("\n")
                        origins.append(Origin(text: user, offset: offset, isEnd: false))
                    }
                    lines.append(scalar)
                    if scalar == "\n" { origins.append(Origin(text: user, offset: offset + 1, isEnd: false)) }
                }
                lines.append("\n")
                last = Origin(text: user, offset: user.endOfContent, isEnd: true)
            }
        }
        return (String(lines), origins + [last])
    }
}

extension LocatedText {
    /// The offset behind the last character that is not white space.
    var endOfContent: Int {
        let scalars = Array(text.unicodeScalars)
        return (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }

    /// The offset of the first character at or behind an offset that is not white space.
    func startOfToken(at offset: Int) -> Int {
        let scalars = text.unicodeScalars.dropFirst(offset)
        return offset + scalars.prefix { $0.properties.isWhitespace }.count
    }
}
