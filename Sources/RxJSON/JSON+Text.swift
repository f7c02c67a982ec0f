extension JSON: CustomStringConvertible {
    /// Compact JSON on one line: members in their order, whole numbers without a point, and as jq does `null` for what
    /// is not a number and the largest number for infinity.
    package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The same text in UTF-8.
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

    /// The shortest text that reads back as the same number.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "null" }
        if number.isInfinite { return text(of: number < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude) }
        if let whole = Int64(exactly: number) { return "\(whole)" }
        return "\(number)"
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            if text.contains(where: { escape(of: $0) != nil }) {
                for byte in text {
                    if let escape = escape(of: byte) { bytes += escape.utf8 } else { bytes.append(byte) }
                }
            } else {
                bytes += text
            }
        }
        bytes.append(UInt8(ascii: "\""))
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
