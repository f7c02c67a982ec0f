/// A scanner that tracks, one character at a time, the strings, interpolations, comments and brackets of jq text.
package struct JQScanner {
    /// The part of the text that a character belongs to.
    package enum Region {
        case code, string, comment
    }

    /// The closing character of each open bracket or string, innermost last.
    private var closers: [Unicode.Scalar] = []
    private var isEscaped = false
    private var isComment = false
    /// Whether the text had a closing bracket without a matching opening one.
    package private(set) var isUnbalanced = false

    package init() {}

    /// Whether no bracket, string or comment is open.
    package var isAtTopLevel: Bool { closers.isEmpty && !isComment }

    /// The closing character of the innermost open bracket or string.
    package var expected: Unicode.Scalar? { closers.last }

    /// Returns the error message for a closing bracket that does not match the innermost open one.
    package func complaint(about closer: String) -> String {
        expected.map { "a '\($0)' is missing before this '\(closer)'" }
            ?? "'\(closer)' closes nothing that is open here"
    }

    /// Whether a text has anything but white space and comments.
    static func holdsCode(_ text: String) -> Bool {
        var scanner = JQScanner()
        return text.unicodeScalars.contains { scanner.feed($0) != .comment && !$0.properties.isWhitespace }
    }

    /// Whether the brackets and strings of a text are balanced.
    static func isBalanced(_ text: String) -> Bool {
        var scanner = JQScanner()
        for scalar in text.unicodeScalars { _ = scanner.feed(scalar) }
        return scanner.closers.isEmpty && !scanner.isUnbalanced
    }

    /// Scans the next character and returns what it belongs to; quotes belong to their string.
    package mutating func feed(_ scalar: Unicode.Scalar) -> Region {
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
    /// Returns the offsets between tokens, before which a line break changes nothing.
    ///
    /// Not every boundary is among them: a sequence that could be one longer token (`//=`, `|=`, `a::b`) is not split.
    static func breaks(in text: [Unicode.Scalar]) -> Set<Int> {
        var scanner = JQScanner()
        var breaks: Set<Int> = []
        var previous: (scalar: Unicode.Scalar, region: Region) = (" ", .code)
        for (offset, scalar) in text.enumerated() {
            let region = scanner.feed(scalar)
            let opensString = scalar == "\"" && previous.region == .code
            let isInComment = previous.region == .comment && previous.scalar != "\n"
            if region == .code || opensString, !isInComment {
                let next = offset + 1 < text.count ? text[offset + 1] : " "
                let isBetween = previous.scalar.isSeparator(before: scalar) || scalar.isSeparator(before: next)
                if isBetween || region != previous.region { breaks.insert(offset) }
            }
            previous = (scalar, region)
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
