/// Walks through jq text one character at a time and knows what it is inside of: strings, what is interpolated into
/// them, comments, brackets.
package struct JQScanner {
    package enum Place {
        case code, string, comment
    }

    /// What closes each bracket or string that is open, innermost last.
    private var closers: [Unicode.Scalar] = []
    private var isEscaped = false
    private var isComment = false
    /// Whether a closing bracket came that nothing had opened.
    package private(set) var isUnbalanced = false

    package init() {}

    /// Whether no bracket, string or comment is open.
    package var isAtTopLevel: Bool { closers.isEmpty && !isComment }

    /// The innermost bracket that is still open, by what would close it.
    package var expected: Unicode.Scalar? { closers.last }

    /// What is wrong with a closing bracket that does not fit what is open before it.
    package func complaint(about closer: String) -> String {
        expected.map { "a '\($0)' is missing before this '\(closer)'" }
            ?? "'\(closer)' closes nothing that is open here"
    }

    /// Whether a text holds anything but white space and comments.
    static func holdsCode(_ text: String) -> Bool {
        var scanner = JQScanner()
        return text.unicodeScalars.contains { scanner.feed($0) != .comment && !$0.properties.isWhitespace }
    }

    /// Whether every bracket and string of a text is closed in it, and nothing else is.
    static func isBalanced(_ text: String) -> Bool {
        var scanner = JQScanner()
        for scalar in text.unicodeScalars { _ = scanner.feed(scalar) }
        return scanner.closers.isEmpty && !scanner.isUnbalanced
    }

    /// Takes the next character and says where it stands; quotes belong to their string.
    package mutating func feed(_ scalar: Unicode.Scalar) -> Place {
        if isComment {
            isComment = scalar != "\n"
            return .comment
        }
        if closers.last == "\"" {
            feedString(scalar)
            return .string
        }
        switch scalar {
        case "#":
            isComment = true
            return .comment
        case "\"":
            closers.append("\"")
            return .string
        case "(": closers.append(")")
        case "[": closers.append("]")
        case "{": closers.append("}")
        case ")", "]", "}":
            if closers.last == scalar { closers.removeLast() } else { isUnbalanced = true }
        default: break
        }
        return .code
    }

    private mutating func feedString(_ scalar: Unicode.Scalar) {
        if isEscaped {
            isEscaped = false
            if scalar == "(" { closers.append(")") }
        } else if scalar == "\\" {
            isEscaped = true
        } else if scalar == "\"" {
            closers.removeLast()
        }
    }
}

extension JQScanner {
    /// The offsets before which a line break changes nothing, because one token ends and another begins there.
    ///
    /// Not every token's: what could be part of a longer one (`//=`, `|=`, `a::b`) is left whole.
    static func breaks(in text: [Unicode.Scalar]) -> Set<Int> {
        var scanner = JQScanner()
        var breaks: Set<Int> = []
        var previous: (scalar: Unicode.Scalar, place: Place) = (" ", .code)
        for (offset, scalar) in text.enumerated() {
            let place = scanner.feed(scalar)
            let opensString = scalar == "\"" && previous.place == .code
            let isInComment = previous.place == .comment && previous.scalar != "\n"
            if place == .code || opensString, !isInComment {
                let next = offset + 1 < text.count ? text[offset + 1] : " "
                let isBetween = previous.scalar.isSeparator(before: scalar) || scalar.isSeparator(before: next)
                if isBetween || place != previous.place { breaks.insert(offset) }
            }
            previous = (scalar, place)
        }
        return breaks
    }
}

extension Unicode.Scalar {
    fileprivate func isSeparator(before next: Unicode.Scalar) -> Bool {
        switch self {
        case " ", "\t", "\n", "\r", "(", ")", "[", "]", "{", "}", ",", ";": true
        case "|": next != "="
        default: false
        }
    }
}
