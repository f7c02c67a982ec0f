import Glibc

/// A file's path, as the bytes that it is: any but zero, in no particular encoding.
public struct BytePath: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The bytes.
    public let bytes: [UInt8]

    /// The path that these bytes are.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path that a text is in UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The path that a text is in UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path as a text: what is not UTF-8 in it becomes U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component.
    public var name: BytePath {
        BytePath(bytes: Array(bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]))
    }

    /// By their bytes.
    public static func < (left: BytePath, right: BytePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The path of something in this directory.
    public func appending(_ name: BytePath) -> BytePath {
        BytePath(bytes: bytes.last == Self.slash ? bytes + name.bytes : bytes + [Self.slash] + name.bytes)
    }

    static let slash = UInt8(ascii: "/")

    /// The directory that the last component is in.
    var parent: BytePath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return "." }
        return BytePath(bytes: slash == 0 ? [Self.slash] : Array(bytes[..<slash]))
    }

    /// From the root of the file system on, without empty components, `.` or a slash at the end. `..` is left alone:
    /// what it means, symbolic links say.
    func absolute(from directory: BytePath) -> BytePath {
        let whole = bytes.first == Self.slash ? bytes : directory.bytes + [Self.slash] + bytes
        let components = whole.split(separator: Self.slash).filter { $0 != [UInt8(ascii: ".")] }
        return BytePath(bytes: components.isEmpty ? [Self.slash] : components.flatMap { [Self.slash] + $0 })
    }

    /// Calls `body` with the path as the system takes it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body(bytes.map { CChar(bitPattern: $0) } + [0])
    }
}

extension BytePath {
    /// A path that the system has made and left to be freed; `nil` where it has made none.
    init?(taking text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return nil }
        defer { free(text) }
        self.init(bytes: UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
    }
}
