/// A hash that is the same in every process: FNV-1a with a final mix.
struct StableHash {
    /// The plain FNV-1a hash, whose low bits are the best.
    private(set) var unmixed: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte: byte) }
    }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte: byte) }
    }

    /// Ends a text, with a byte that UTF-8 does not contain: two texts differ from their concatenation.
    mutating func end() {
        add(byte: 0xFF)
    }

    private mutating func add(byte: UInt8) {
        unmixed = (unmixed ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    /// The mixed hash, whose bits are all good.
    var value: UInt64 {
        let mixed = (unmixed ^ unmixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ mixed >> 32
    }
}
