import RxDiagnostics

/// Finds the location in the file of each character of a scalar's value, behind quotes, escapes, folded lines and
/// indentation.
///
/// It compares the value with the raw text, character by character. If they differ for good (which a wrong guess about
/// folding could cause), the rest of the value keeps the last known location: a location may be coarse, but is never in
/// another part of the file.
struct YAMLScalarMarks {
    private let source: [Unicode.Scalar]
    private var index: Int
    private let end: Int
    private var line: Int
    private var column: Int
    private var marks: [LocatedText.Mark] = []

    /// Returns the marks of a scalar; `start` and `end` include its quotes or its `|`.
    static func marks(
        of value: String, style: YAMLScalarStyle, in source: [Unicode.Scalar], from start: YAMLEvent.Mark,
        to end: YAMLEvent.Mark
    ) -> [LocatedText.Mark] {
        var walk = YAMLScalarMarks(source: source, start: start, end: end)
        walk.skipOpening(style)
        for (offset, scalar) in value.unicodeScalars.enumerated() where !walk.step(scalar, at: offset, style) {
            break
        }
        if walk.marks.isEmpty { walk.record(0) }
        return walk.marks
    }

    private init(source: [Unicode.Scalar], start: YAMLEvent.Mark, end: YAMLEvent.Mark) {
        self.source = source
        self.end = min(end.index, source.count)
        index = start.index
        line = start.line + 1
        column = start.column + 1
    }

    private var current: Unicode.Scalar? { index < end ? source[index] : nil }

    private mutating func advance(by count: Int = 1) {
        for _ in 0..<count {
            guard let scalar = current else { return }
            index += 1
            if scalar == "\r", current == "\n" { continue }
            if scalar.isLineBreak {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
    }

    private mutating func skipOpening(_ style: YAMLScalarStyle) {
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: advance()
        case .block:
            while let scalar = current, !scalar.isLineBreak { advance() }
            advance()
        }
    }

    private mutating func skipSpace() {
        while let scalar = current, scalar.isSpace { advance() }
    }

    /// Finds the location of one character of the value; returns `false` if the raw text no longer matches.
    private mutating func step(_ scalar: Unicode.Scalar, at offset: Int, _ style: YAMLScalarStyle) -> Bool {
        if style == .doubleQuoted {
            while current == "\\", index + 1 < end, source[index + 1].isLineBreak {
                advance()
                skipSpace()
            }
            if !scalar.isSpace, current?.isSpace == true { skipSpace() }
            if current == "\\" {
                record(offset)
                advance(by: lengthOfEscape)
                return true
            }
        }
        if current != scalar, !scalar.isSpace { skipSpace() }
        if current != scalar {
            // A line break that folding turned into a space, or one of several.
            guard scalar.isSpace, current?.isSpace ?? true else { return false }
            record(offset)
            return true
        }
        record(offset)
        advance(by: style == .singleQuoted && scalar == "'" ? 2 : 1)
        return true
    }

    private var lengthOfEscape: Int {
        switch index + 1 < end ? source[index + 1] : "n" {
        case "x": 4
        case "u": 6
        case "U": 10
        default: 2
        }
    }

    private mutating func record(_ offset: Int) {
        if let last = marks.last, last.line == line, last.column + offset - last.offset == column { return }
        marks.append(.init(offset: offset, line: line, column: column))
    }
}

extension Unicode.Scalar {
    /// Whether YAML 1.1 ends a line with it.
    package var isLineBreak: Bool {
        switch self {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    fileprivate var isSpace: Bool { self == " " || self == "\t" || isLineBreak }
}
