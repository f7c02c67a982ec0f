/// Names for values that have none: characters that are not yet in use.
public struct MarbleNames: Sendable {
    private var used: Set<Character>
    private var next: UInt32 = 0

    /// Makes a supply of names.
    ///
    /// - Parameter used: the names that values already have.
    public init(used: Set<Character> = []) {
        self.used = used
    }

    /// Returns a name that is not in use: `preferred` if it can name a value, otherwise `a`, `b` and so on.
    ///
    /// - Complexity: Constant, amortized.
    public mutating func name(preferring preferred: String = "") -> Character {
        let scalars = preferred.unicodeScalars
        if let scalar = scalars.first, scalars.count == 1, scalar.canNameValue,
            used.insert(Character(scalar)).inserted
        {
            return Character(scalar)
        }
        while let name = following() {
            if used.insert(name).inserted { return name }
        }
        return "?"
    }

    private static let first = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// The next name, used or not: letters and digits, then other letters, then ideographs.
    private mutating func following() -> Character? {
        while next < 0xA000 {
            defer { next += 1 }
            if next < Self.first.count { return Self.first[Int(next)] }
            if next < 0xC0 || (0x530..<0x4E00).contains(next) { continue }
            if let scalar = Unicode.Scalar(next), scalar.properties.isAlphabetic, scalar.canNameValue {
                return Character(scalar)
            }
        }
        return nil
    }
}
