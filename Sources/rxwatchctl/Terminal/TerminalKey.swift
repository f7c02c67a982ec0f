/// A key of a terminal, as far as a command reacts to it.
enum TerminalKey: Equatable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, escape, backspace
    /// Ctrl-C, Ctrl-D, or the end of the input.
    case interrupt
    case character(Character)

    private static let escapeByte: UInt8 = 0x1B

    /// Takes the keys that the bytes of a terminal stand for. Those of unknown keys are ignored.
    ///
    /// - Parameter bytes: the bytes; afterwards those of a key that is not complete, since the rest may still arrive.
    static func keys(taking bytes: inout [UInt8]) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let before = rest
            rest.removeFirst()
            switch byte {
            case 0x03, 0x04: keys.append(.interrupt)
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.backspace)
            case escapeByte:
                guard let next = rest.first else { return keep(before, keys, &bytes) }
                // An escape begins the code of another key only together with one of these.
                guard next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else {
                    keys.append(.escape)
                    continue
                }
                rest.removeFirst()
                guard let code = code(&rest) else { return keep(before, keys, &bytes) }
                if let code { keys.append(code) }
            case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
            case 0xC2...0xF4:
                let length = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
                if rest.prefix(length).allSatisfy({ $0 & 0xC0 == 0x80 }), rest.count < length {
                    return keep(before, keys, &bytes)
                }
                let text = String(validating: [byte] + rest.prefix(length), as: UTF8.self)
                guard let character = text?.first, text?.count == 1 else { continue }
                rest = rest.dropFirst(length)
                keys.append(.character(character))
            default: break
            }
        }
        bytes = []
        return keys
    }

    /// The key of bytes that nothing has followed for some time.
    static func key(of bytes: [UInt8]) -> TerminalKey? { bytes.first == escapeByte ? .escape : nil }

    private static func keep(_ rest: ArraySlice<UInt8>, _ keys: [TerminalKey], _ bytes: inout [UInt8]) -> [TerminalKey]
    {
        bytes = Array(rest)
        return keys
    }

    /// Reads the code after `ESC [` or `ESC O`: parameters, and a final byte.
    ///
    /// - Returns: the key, or no key for an unknown code; `nil` if the code is not complete.
    private static func code(_ rest: inout ArraySlice<UInt8>) -> TerminalKey?? {
        var parameters: [UInt8] = []
        while let byte = rest.popFirst() {
            if (0x20...0x3F).contains(byte) {
                parameters.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "H"): return .home
            case UInt8(ascii: "F"): return .end
            case UInt8(ascii: "~"): return .some(numbered[String(decoding: parameters, as: UTF8.self)])
            default: return .some(nil)
            }
        }
        return nil
    }

    private static let numbered: [String: TerminalKey] = [
        "1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown,
    ]
}
