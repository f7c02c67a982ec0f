/// Makes short names of texts that identify events.
enum EventName {
    /// What a name begins with, in place of the id of a run.
    static let mark: UInt8 = 0x40  // "@"

    /// A hash in base 36: events of one source within a few seconds have different names.
    static func make(of text: String) -> String {
        var hash = StableHash()
        hash.add(text)
        return "@" + String(hash.value, radix: 36)
    }
}
