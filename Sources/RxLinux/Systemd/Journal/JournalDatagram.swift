import Glibc

/// The encoding of a record in journald's native protocol.
enum JournalDatagram {
    /// Encodes a record. Fields with invalid names are left out: journald would drop them, and a name with a newline
    /// would forge other fields.
    static func encode(_ priority: JournalPriority, _ fields: [JournalField]) -> [UInt8] {
        let head = 11
        let size = fields.reduce(head) { $0 + $1.name.utf8.count + $1.value.count + 10 }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var writer = Writer(buffer)
            writer.put("PRIORITY=")
            writer.put(UInt8(ascii: "0") + UInt8(priority.rawValue))
            writer.put(newline)
            for field in fields where field.isValid { writer.put(field) }
            count = writer.count
        }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Writes to memory that is large enough.
    private struct Writer {
        private let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
            self.buffer = buffer
        }

        mutating func put(_ field: JournalField) {
            put(field.name)
            if field.value.hasNewline {
                // A value that contains a newline is preceded by its size.
                put(newline)
                withUnsafeBytes(of: UInt64(field.value.count).littleEndian) { put($0) }
            } else {
                put(UInt8(ascii: "="))
            }
            field.value.withUnsafeBytes { put($0) }
            put(newline)
        }

        mutating func put(_ text: String) {
            var text = text
            text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
        }

        mutating func put(_ byte: UInt8) {
            buffer[count] = byte
            count += 1
        }

        mutating func put(_ bytes: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }
}

extension [UInt8] {
    fileprivate var hasNewline: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0x0A, bytes.count) != nil
        }
    }
}
