/// A field of a journal record: an upper-case name and a value, which may hold any bytes.
public struct JournalField: Sendable, Hashable {
    /// The name: upper-case letters, digits and underscores, not starting with an underscore, at most 64 characters.
    public let name: String
    /// The value.
    public let value: [UInt8]

    /// Creates a field with a text.
    public init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }

    /// Creates a field with bytes.
    public init(_ name: String, bytes: [UInt8]) {
        self.name = name
        value = bytes
    }

    /// Whether journald accepts the name from a program.
    public var isValid: Bool {
        let name = name.utf8
        return (1...64).contains(name.count) && name.first.map { (0x41...0x5A).contains($0) } == true
            && name.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
