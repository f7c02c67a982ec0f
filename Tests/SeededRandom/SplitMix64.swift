/// A sequence of pseudo-random numbers that its seed determines, on every platform (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mixed(state)
    }

    /// A number from 0 to `bound`, exclusive.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// A number within `range`.
    package mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// `true` in `percent` of 100 calls.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// `true` in one of `number` calls.
    package mutating func once(in number: Int) -> Bool { below(number) == 0 }

    /// An element of `choices`, which is not empty.
    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}

/// Mixes the bits of `number` (the finalizer of SplitMix64).
package func mixed(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
}
