/// Splits the text of a diagram into marks, with their frames and columns.
struct MarbleScanner {
    typealias Symbol = (frame: Int, mark: MarbleMark, column: Int)

    /// The longest diagram, in frames.
    static let maximumLength = 1_000_000_000

    private let text: [Unicode.Scalar]
    private let duration: FrameDuration
    private var index = 0
    /// The column of the group that is open.
    private var group: Int?
    private(set) var symbols: [Symbol] = []
    /// How many frames have passed.
    private(set) var length = 0

    /// Scans the whole text.
    init(_ text: String, _ duration: FrameDuration) throws(MarbleError) {
        self.text = Array(text.unicodeScalars)
        self.duration = duration
        while index < self.text.count {
            if isAtToken, try scanTime() { continue }
            try scan(self.text[index])
            index += 1
        }
        if let group { throw MarbleError(column: group, problem: "'(' without ')': close the group") }
    }

    private var column: Int { index + 1 }

    private func error(_ problem: String) -> MarbleError { MarbleError(column: column, problem: problem) }

    private mutating func scan(_ scalar: Unicode.Scalar) throws(MarbleError) {
        switch scalar {
        case "-":
            if group != nil { throw error("'-' in a group, whose events are simultaneous: write it outside '(…)'") }
            try pass(1)
        case "(":
            if group != nil { throw error("'(' in a group: groups are not nested") }
            group = column
        case ")":
            guard let start = group else { throw error("')' without '('") }
            if symbols.last.map({ $0.column < start }) ?? true { throw error("a group without events: write '-'") }
            group = nil
            try pass(1)
        case "|": try add(.completion)
        case "#": try add(.error)
        case "^": try add(.subscription)
        case "!": try add(.disposal)
        case _ where scalar.properties.isWhitespace: break
        case _ where scalar.canNameValue: try add(.value(Character(scalar)))
        default:
            let code = String(scalar.value, radix: 16, uppercase: true)
            let padding = String(repeating: "0", count: max(0, 4 - code.count))
            throw error("U+\(padding)\(code) is not a value: name values by a letter, digit or symbol")
        }
    }

    private mutating func add(_ mark: MarbleMark) throws(MarbleError) {
        symbols.append((length, mark, column))
        if group == nil { try pass(1) }
    }

    private mutating func pass(_ frames: Int) throws(MarbleError) {
        guard frames <= Self.maximumLength - length else {
            throw error("the diagram has more than \(Self.maximumLength) frames: use a longer frame")
        }
        length += frames
    }

    // MARK: Times

    private var isAtToken: Bool { index == 0 || text[index - 1].properties.isWhitespace }

    /// Scans a time such as `10ms`, which stands between spaces. Returns `false` if there is none.
    private mutating func scanTime() throws(MarbleError) -> Bool {
        var end = index
        while end < text.count, text[end].isDigit { end += 1 }
        let digits = index..<end
        while end < text.count, text[end].isUnitLetter { end += 1 }
        guard !digits.isEmpty, FrameDuration.isUnit(string(digits.upperBound..<end)) else { return false }
        let time = string(index..<end)
        guard end == text.count || text[end].properties.isWhitespace else {
            // One digit may well be the name of a value.
            guard digits.count > 1, !text[end].properties.isAlphabetic, !text[end].isDigit else { return false }
            throw error("'\(time)' is not followed by a space: write spaces around a time")
        }
        if group != nil { throw error("'\(time)' in a group, whose events are simultaneous: write it outside '(…)'") }
        guard let count = Int(string(digits)), count <= Self.maximumLength * 1_000 else {
            throw error("'\(time)' is too long")
        }
        guard let frames = duration.frames(in: count, string(digits.upperBound..<end)) else {
            throw error("'\(time)' is not a multiple of the frame, \(duration.text): change one of them")
        }
        try pass(frames)
        index = end
        return true
    }

    private func string(_ range: Range<Int>) -> String {
        var string = ""
        string.unicodeScalars.append(contentsOf: text[range])
        return string
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isUnitLetter: Bool { ("a"..."z").contains(self) }

    /// Whether the character can be the name of a value: it is visible, and has a meaning without its neighbours.
    var canNameValue: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol:
            !"-()|#^!".unicodeScalars.contains(self)
        default: false
        }
    }
}
