/// A line of bytes, without the newline that ends it.
public struct Line: Sendable, Hashable {
    /// Its bytes, as many as a line may have at most.
    public var bytes: [UInt8]
    /// Whether there were more, which were dropped.
    public var isTruncated: Bool
    /// Whether the end came before a newline did.
    public var isPartial: Bool

    /// A line of these bytes.
    public init(_ bytes: [UInt8], isTruncated: Bool = false, isPartial: Bool = false) {
        self.bytes = bytes
        self.isTruncated = isTruncated
        self.isPartial = isPartial
    }

    /// The bytes as text; what is no UTF-8 shows as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
