/// One line of text that a terminal shows in a known number of columns.
///
/// What would control the terminal is replaced, so text from outside cannot.
struct TerminalText: Equatable {
    private(set) var text = ""
    private(set) var width = 0

    /// More of them on one character would show nothing any more.
    private static let maximumMarks = 4

    /// Takes `string` as far as it fits into `limit` columns, with an ellipsis in place of the rest.
    init(_ string: String, limit: Int) {
        var scalars: [Unicode.Scalar] = []
        var marks = Self.maximumMarks
        // The longest beginning that leaves room for the ellipsis.
        var cut = (count: 0, width: 0)
        for scalar in string.unicodeScalars {
            let kind = CharacterWidth(scalar)
            if kind == .ignored { continue }
            if kind == .combining {
                if marks < Self.maximumMarks { scalars.append(scalar) }
                marks += 1
                continue
            }
            if width < limit { cut = (scalars.count, width) }
            let columns = kind == .wide ? 2 : 1
            if width + columns > limit {
                scalars.removeSubrange(cut.count...)
                width = cut.width
                if limit > 0 {
                    scalars.append("…")
                    width += 1
                }
                break
            }
            switch kind {
            case .blank: scalars.append(" ")
            case .control: scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
            width += columns
            marks = 0
        }
        text.unicodeScalars.append(contentsOf: scalars)
    }

    /// The text without spaces at its end.
    var trimmedAtEnd: TerminalText {
        var trimmed = self
        while trimmed.text.unicodeScalars.last == " " {
            trimmed.text.unicodeScalars.removeLast()
            trimmed.width -= 1
        }
        return trimmed
    }

    /// Returns the text in exactly `width` columns.
    func fitted(to width: Int, _ isRight: Bool) -> String {
        let shown = self.width > width ? TerminalText(text, limit: width) : self
        let space = String(repeating: " ", count: width - shown.width)
        return isRight ? space + shown.text : shown.text + space
    }
}
