import Glibc

/// Splits a stream of blocks of bytes into lines.
package struct LineSplitter {
    private let limit: Int
    private var kept: [UInt8] = []
    private var isTruncated = false
    /// Whether there were bytes after the last newline.
    private var hasBegun = false

    /// Creates a splitter.
    ///
    /// - Parameter limit: the most bytes of a line to keep.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds a block, and calls `emit` with each line that ends in it, until `emit` returns `false`.
    package mutating func receive(_ block: ArraySlice<UInt8>, _ emit: (Line) -> Bool) {
        var rest = block
        while !rest.isEmpty {
            guard let newline = rest.firstNewline else {
                hasBegun = true
                return keep(rest)
            }
            keep(rest[..<newline])
            rest = rest[(newline + 1)...]
            if !emit(makeLine(isPartial: false)) { return }
        }
    }

    /// Returns the last line, which has no newline; `nil` if the input ended with a newline.
    package mutating func finish() -> Line? {
        hasBegun ? makeLine(isPartial: true) : nil
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = limit - kept.count
        kept += bytes.prefix(room)
        if bytes.count > room { isTruncated = true }
    }

    private mutating func makeLine(isPartial: Bool) -> Line {
        defer {
            kept = []
            isTruncated = false
            hasBegun = false
        }
        return Line(kept, isTruncated: isTruncated, isPartial: isPartial)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var firstNewline: Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start, 0x0A, bytes.count) else { return nil }
            return startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}
