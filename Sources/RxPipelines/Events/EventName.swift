/// Makes short names for events of texts that identify them.
enum EventName {
    /// The first character of a name, which distinguishes it from the id of a run.
    static let mark: UInt8 = 0x40  // "@"

    /// A 64-bit hash in base 36. Collisions matter only between events of one source within a few seconds.
    static func make(of text: String) -> String {
        var hash = StableHash()
        hash.add(text)
        return "@" + String(hash.value, radix: 36)
    }
}
