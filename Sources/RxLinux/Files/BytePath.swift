import Glibc

/// A file's path as bytes: any bytes except zero, in no particular encoding.
public struct BytePath: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The bytes of the path.
    public let bytes: [UInt8]

    /// Creates a path from its bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a path from the UTF-8 bytes of a text.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Creates a path from the UTF-8 bytes of a literal.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path as text, with U+FFFD in place of bytes that are not UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component.
    public var name: BytePath {
        BytePath(bytes: Array(bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]))
    }

    /// Compares two paths by their bytes.
    public static func < (left: BytePath, right: BytePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Returns the path of an entry of this directory.
    public func appending(_ name: BytePath) -> BytePath {
        BytePath(bytes: bytes.last == Self.slash ? bytes + name.bytes : bytes + [Self.slash] + name.bytes)
    }

    static let slash = UInt8(ascii: "/")

    /// The directory of the last component.
    public var parent: BytePath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return "." }
        return BytePath(bytes: slash == 0 ? [Self.slash] : Array(bytes[..<slash]))
    }

    /// Whether this is a path of a file in a directory, at any depth, without regard to symbolic links.
    func isBelow(_ directory: BytePath) -> Bool {
        let prefix = directory == "/" ? directory.bytes : directory.bytes + [Self.slash]
        return bytes.count > prefix.count && bytes.starts(with: prefix)
    }

    /// The names in the directory at this path; none if it cannot be read.
    var entries: [[UInt8]] {
        guard let stream = withCString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return names
    }

    /// Returns the absolute path without empty components, `.` or a trailing slash. `..` stays, since its meaning
    /// depends on symbolic links.
    func absolute(from directory: BytePath) -> BytePath {
        let whole = bytes.first == Self.slash ? bytes : directory.bytes + [Self.slash] + bytes
        let components = whole.split(separator: Self.slash).filter { $0 != [UInt8(ascii: ".")] }
        return BytePath(bytes: components.isEmpty ? [Self.slash] : components.flatMap { [Self.slash] + $0 })
    }

    /// Calls `body` with the path as a C string. If the path is longer than the system accepts, its directories are
    /// opened one after the other.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        if bytes.count >= Int(PATH_MAX), let result = LongPath.withCString(bytes, body) { return result }
        return body(bytes.map { CChar(bitPattern: $0) } + [0])
    }
}

extension BytePath {
    /// Takes ownership of a C string that the system has allocated, and frees it; `nil` for a null pointer.
    init?(taking text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return nil }
        defer { free(text) }
        self.init(bytes: UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
    }
}
