/// Parses one JSON value from bytes that outlive the parser.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// The number of arrays and objects around the current byte.
    private var depth = 0
    /// Whether the result contains the parts of arrays and objects; otherwise they are only checked.
    private let keepsParts: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, keepingParts keepsParts: Bool = true) {
        self.bytes = bytes
        self.keepsParts = keepsParts
    }

    mutating func parse() throws(JSONError) -> JSON {
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        skipSpace()
        if index == bytes.count { throw JSONError("not JSON: it is empty") }
        let value = try value()
        skipSpace()
        if index < bytes.count { throw error("something follows the value") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSON {
        switch current {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in .object(try parser.object()) }
        case UInt8(ascii: "["): return try nested { parser throws(JSONError) in .array(try parser.array()) }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", true)
        case UInt8(ascii: "f"): return try literal("false", false)
        // C prints "nan" for a value that is not a number.
        case UInt8(ascii: "n"):
            let isNull = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
            return try literal(isNull ? "null" : "nan", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(_ read: (inout JSONParser) throws(JSONError) -> JSON) throws(JSONError) -> JSON {
        if depth == JSON.maximumDepth { throw error("nested deeper than \(JSON.maximumDepth) levels") }
        depth += 1
        index += 1
        skipSpace()
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func array() throws(JSONError) -> [JSON] {
        var values: [JSON] = []
        if take(UInt8(ascii: "]")) { return values }
        while true {
            let value = try value()
            if keepsParts { values.append(value) }
            skipSpace()
            if take(UInt8(ascii: "]")) { return values }
            guard take(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
            skipSpace()
        }
    }

    private mutating func object() throws(JSONError) -> JSON.Object {
        var members = JSONMembers()
        if take(UInt8(ascii: "}")) { return members.object }
        while true {
            guard current == UInt8(ascii: "\"") else { throw error("expected a key in double quotes") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
            skipSpace()
            let value = try value()
            if keepsParts { members.add(key, value) }
            skipSpace()
            if take(UInt8(ascii: "}")) { return members.object }
            guard take(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
            skipSpace()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[index...].starts(with: expected) else { throw error("expected a value") }
        index += expected.count
        return value
    }

    /// Parses a number; one that is too large becomes the largest.
    private mutating func number() throws(JSONError) -> Double {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        let digits = index
        var whole = 0
        // So many digits are exact in a double.
        while let byte = current, isDigit(byte), index - digits < 15 {
            whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
            index += 1
        }
        if index > digits, !(current.map(isNumberPart) ?? false) { return isNegative ? -Double(whole) : Double(whole) }
        while let byte = current, isNumberPart(byte) { index += 1 }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = Double(text) else {
            index = start
            throw error("expected a value")
        }
        return min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func isNumberPart(_ byte: UInt8) -> Bool { isDigit(byte) || ".eE+-".utf8.contains(byte) }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
            default: return
            }
        }
    }

    private func error(_ reason: String) -> JSONError {
        let before = bytes[..<index]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = index - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        return JSONError("not JSON: \(reason) at line \(line), byte \(column)")
    }
}

extension JSONParser {
    /// Parses the text in double quotes that begins here.
    private mutating func string() throws(JSONError) -> String {
        let start = index + 1
        index = start
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                defer { index += 1 }
                return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") { return try stringWithEscapes(from: start) }
            if byte < 0x20 { throw error("a control character in a text") }
            index += 1
        }
        throw error("expected '\"'")
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<index])
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20:
                index -= 1
                throw error("a control character in a text")
            default: text.append(byte)
            }
        }
        throw error("expected '\"'")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let byte = current
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte ?? 0)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "u"): text += String(Character(try scalar())).utf8
        default:
            index -= 1
            throw error("there is no such escape")
        }
    }

    /// Parses `\uXXXX`, or two that are a surrogate pair. Half a pair is U+FFFD.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if (0xD800..<0xDC00).contains(first), bytes[index...].starts(with: #"\u"#.utf8) {
            let before = index
            index += 2
            let second = try codeUnit()
            if (0xDC00..<0xE000).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
            }
            index = before
        }
        return Unicode.Scalar(first) ?? "\u{FFFD}"
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

/// The members of an object that is being parsed.
private struct JSONMembers {
    private var members: [(String, JSON)] = []
    /// The index of each key, once there are too many for a linear search.
    private var indices: [JSON: Int] = [:]
    private static let few = 16

    var object: JSON.Object { JSON.Object(uniqueKeysWithValues: members) }

    mutating func add(_ key: String, _ value: JSON) {
        if let index = index(of: key) {
            members[index].1 = value
            return
        }
        members.append((key, value))
        if members.count == Self.few {
            for (index, member) in members.enumerated() { indices[.string(member.0)] = index }
        } else if members.count > Self.few {
            indices[.string(key)] = members.count - 1
        }
    }

    private func index(of key: String) -> Int? {
        if members.count >= Self.few { return indices[.string(key)] }
        return members.firstIndex { $0.0.hasSameBytes(as: key) }
    }
}
