import RxDiagnostics

extension JQSource {
    /// The origin of a line of the spread form.
    struct Origin {
        var text: LocatedText
        var offset: Int
        /// Whether the line is the glue after this text, or the text's end. An error there means that something is
        /// missing in the text.
        var isEnd: Bool
    }

    /// The program with one token on each line, and the origin of each line.
    var spread: (text: String, origins: [Origin]) {
        guard var last = users.first.map({ Origin(text: $0, offset: 0, isEnd: false) }) else { return (text, []) }
        var lines = String.UnicodeScalarView()
        var origins: [Origin] = []
        for piece in [.glue(prelude + opening)] + pieces {
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
    /// The offset after the last character that is not white space.
    var endOfContent: Int {
        let scalars = Array(text.unicodeScalars)
        return (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }

    /// Returns the offset of the first character at or after `offset` that is not white space.
    func startOfToken(at offset: Int) -> Int {
        let scalars = text.unicodeScalars.dropFirst(offset)
        return offset + scalars.prefix { $0.properties.isWhitespace }.count
    }
}
