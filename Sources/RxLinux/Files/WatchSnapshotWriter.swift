import Glibc

/// Writes values one after the other to a file, from an offset on, and computes their checksum.
struct WatchSnapshotWriter {
    private let file: Int32
    private let start: off_t
    private var buffer: [UInt8] = []
    private var error: SystemError?
    private(set) var length: UInt64 = 0
    private(set) var checksum = WatchSnapshotChecksum()

    private static let bufferSize = 64 * 1024

    init(_ file: Int32, from start: UInt64) {
        self.file = file
        self.start = off_t(start)
        buffer.reserveCapacity(Self.bufferSize)
    }

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { put($0) }
    }

    mutating func put(_ value: Bool) {
        put(UInt8(value ? 1 : 0))
    }

    /// Writes bytes, preceded by their number.
    mutating func put(_ bytes: [UInt8]) {
        put(UInt32(bytes.count))
        bytes.withUnsafeBytes { put($0) }
    }

    /// Writes values as they are in memory. Their number is not written; the caller must record it.
    mutating func put<Value: BitwiseCopyable>(raw values: [Value]) {
        values.withUnsafeBytes { put($0) }
    }

    /// Writes an optional value, preceded by whether it exists.
    mutating func put<Value>(_ value: Value?, _ body: (inout WatchSnapshotWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes a collection, preceded by the number of its values.
    mutating func put<Value>(each values: some Collection<Value>, _ body: (inout WatchSnapshotWriter, Value) -> Void) {
        put(UInt32(values.count))
        for value in values { body(&self, value) }
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.bufferSize - buffer.count)
            buffer += some
            rest = rest.dropFirst(some.count)
            if buffer.count == Self.bufferSize { flush() }
        }
    }

    private mutating func flush() {
        buffer.withUnsafeBytes { checksum.add($0) }
        var rest = buffer[...]
        while !rest.isEmpty, error == nil {
            let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, start + off_t(length)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                error = SystemError.last("writing the snapshot of watched files")
                break
            }
            length += UInt64(count)
            rest = rest.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    mutating func finish() throws(SystemError) {
        flush()
        if let error { throw error }
    }
}

/// An FNV-1a checksum over words, which detects incomplete and mixed-up writes, but not forgery.
struct WatchSnapshotChecksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds bytes, whose number must be a multiple of eight except in the last call.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            value = (value ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
            value ^= value >> 29
            offset += 8
        }
        for byte in bytes[offset...] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
