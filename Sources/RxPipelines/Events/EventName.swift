/// Makes short names of texts that identify events.
enum EventName {
    /// What a name begins with, in place of the id of a run.
    static let mark: UInt8 = 0x40  // "@"

    /// FNV-1a with a final mix, in base 36: events of one source within a few seconds have different names.
    static func make(of text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        return "@" + String(hash, radix: 36)
    }
}
