/// A small generator of random numbers (SplitMix64), the same for the same seed everywhere.
package struct Random: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Less than `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// Once in `number` times.
    package mutating func once(in number: Int) -> Bool { below(number) == 0 }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
