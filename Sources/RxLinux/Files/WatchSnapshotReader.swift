/// Reads the values that a ``WatchSnapshotWriter`` has written. Any bytes are safe to read.
struct WatchSnapshotReader {
    /// The error of bytes that are not a snapshot.
    struct Corruption: Error {}

    private let all: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        all = bytes
    }

    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _: Value.Type = Value.self
    ) throws(Corruption) -> Value {
        let size = MemoryLayout<Value>.size
        guard all.count - offset >= size else { throw Corruption() }
        defer { offset += size }
        return all.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    mutating func bool() throws(Corruption) -> Bool {
        try integer(UInt8.self) != 0
    }

    mutating func bytes() throws(Corruption) -> [UInt8] {
        try raw(Int(integer(UInt32.self)))
    }

    mutating func raw<Value: BitwiseCopyable>(_ count: Int) throws(Corruption) -> [Value] {
        let (size, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        guard !isTooMuch, count >= 0, all.count - offset >= size else { throw Corruption() }
        defer { offset += size }
        return [Value](unsafeUninitializedCapacity: count) { values, initialized in
            all.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(values).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
            }
            initialized = count
        }
    }

    mutating func optional<Value>(
        _ body: (inout WatchSnapshotReader) throws(Corruption) -> Value
    ) throws(Corruption) -> Value? {
        try bool() ? try body(&self) : nil
    }

    mutating func each(_ body: (inout WatchSnapshotReader) throws(Corruption) -> Void) throws(Corruption) {
        for _ in 0..<(try integer(UInt32.self)) { try body(&self) }
    }

    mutating func list<Value>(
        _ body: (inout WatchSnapshotReader) throws(Corruption) -> Value
    ) throws(Corruption) -> [Value] {
        var values: [Value] = []
        try each { reader throws(Corruption) in values.append(try body(&reader)) }
        return values
    }
}
