import Glibc

/// Makes lines of blocks of bytes, however they are cut.
package struct LineSplitter {
    private let limit: Int
    private var kept: [UInt8] = []
    private var isTruncated = false
    /// Whether a byte has come since the last newline.
    private var hasBegun = false

    /// - Parameter limit: how many bytes of a line are kept.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Tells each line that ends in `block`, as long as `tell` returns `true`.
    package mutating func take(_ block: ArraySlice<UInt8>, _ tell: (Line) -> Bool) {
        var rest = block
        while !rest.isEmpty {
            guard let newline = rest.firstNewline else {
                hasBegun = true
                return keep(rest)
            }
            keep(rest[..<newline])
            rest = rest[(newline + 1)...]
            if !tell(cut(isPartial: false)) { return }
        }
    }

    /// The line that the end cuts off, `nil` where there is none.
    package mutating func finish() -> Line? {
        hasBegun ? cut(isPartial: true) : nil
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = limit - kept.count
        kept += bytes.prefix(room)
        if bytes.count > room { isTruncated = true }
    }

    private mutating func cut(isPartial: Bool) -> Line {
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
