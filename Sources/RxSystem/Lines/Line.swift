/// A line of bytes, without the newline that ends it.
public struct Line: Sendable, Hashable {
    /// The bytes of the line, up to the limit.
    public var bytes: [UInt8]
    /// Whether the line had more bytes, which were dropped.
    public var isTruncated: Bool
    /// Whether the input ended before the line's newline.
    public var isPartial: Bool

    /// Creates a line of these bytes.
    public init(_ bytes: [UInt8], isTruncated: Bool = false, isPartial: Bool = false) {
        self.bytes = bytes
        self.isTruncated = isTruncated
        self.isPartial = isPartial
    }

    /// The bytes as text, with U+FFFD in place of bytes that are not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
