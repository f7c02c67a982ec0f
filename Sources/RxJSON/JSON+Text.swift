extension JSON: CustomStringConvertible {
    /// Compact JSON on one line, with members in their order and whole numbers without a point.
    ///
    /// As in jq, a number that is not a number is `null`, and infinity is the largest number.
    package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The value as a JSON text in UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += Self.text(of: value).utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, (key, value)) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// The shortest text that parses to the same number.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "null" }
        if number.isInfinite { return text(of: number < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude) }
        if let whole = Int64(exactly: number) { return "\(whole)" }
        return "\(number)"
    }

    /// The value as a JSON text in ASCII, so that two texts that only look alike compare as different.
    package var asciiText: String {
        description.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            // 0xF4 begins the scalars of plane 16, which is unused but for U+10FE80 to U+10FEFF, see `write(_:to:)`.
            if text.contains(0xF4) {
                for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { write(scalar, to: &bytes) }
            } else if text.contains(where: { escape(of: $0) != nil }) {
                for byte in text {
                    if let escape = escape(of: byte) { bytes += escape.utf8 } else { bytes.append(byte) }
                }
            } else {
                bytes += text
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a scalar; escapes U+10FE80 to U+10FEFF, which stand for the bytes of names that are not UTF-8, to make
    /// them visible.
    private static func write(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case 0x10_FE80...0x10_FEFF:
            bytes += Array(#"\udbff\ud"#.utf8) + String(0xE00 | scalar.value & 0xFF, radix: 16).utf8
        case 0..<0x80:
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            if let escape = escape(of: byte) { bytes += escape.utf8 } else { bytes.append(byte) }
        default: bytes += UTF8.encode(scalar).map { Array($0) } ?? []
        }
    }

    private static func escape(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): #"\""#
        case UInt8(ascii: "\\"): #"\\"#
        case UInt8(ascii: "\n"): #"\n"#
        case UInt8(ascii: "\r"): #"\r"#
        case UInt8(ascii: "\t"): #"\t"#
        case 0x00..<0x10: #"\u000"# + String(byte, radix: 16)
        case 0x10..<0x20, 0x7F: #"\u00"# + String(byte, radix: 16)
        default: nil
        }
    }
}
