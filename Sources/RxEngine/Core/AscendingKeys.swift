/// A search in ascending keys: numbers that were given out consecutively, and some of which were removed since.
enum AscendingKeys {
    /// The index in `range` of the first key that is not less than `key`; the end of `range` if there is none.
    ///
    /// Keys ascend by at least one per index, so the distances of `key` from the first and from the last key bound its
    /// index. If no key is missing, both bounds are the same index. Otherwise interpolation, which takes few steps if
    /// keys are missing at random, alternates with bisection, which bounds the number of steps.
    ///
    /// - Complexity: At most `2 * log2(n)` calls of `keyAt`; a constant number if no key is missing.
    @inline(__always)
    static func firstIndex(notBelow key: UInt64, in range: Range<Int>, _ keyAt: (Int) -> UInt64) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        guard low <= high else { return range.upperBound }
        var (lowest, highest) = (keyAt(low), keyAt(high))
        if key > highest { return range.upperBound }
        var halves = false
        // The key at `high` is not less than `key`.
        while key > lowest {
            let fromLow = low + Int(min(key - lowest, UInt64(high - low)))
            let fromHigh = high - Int(min(highest - key, UInt64(high - low)))
            if fromLow == fromHigh { return fromLow }
            if high - low == 1 { return high }
            var middle = (low + high) / 2
            if !halves {
                let share = Double(key - lowest) / Double(highest - lowest)
                middle = low + Int(share * Double(high - low))
            }
            halves.toggle()
            middle = min(max(middle, low + 1), high - 1)
            let found = keyAt(middle)
            if found == key { return middle }
            if found < key { (low, lowest) = (middle, found) } else { (high, highest) = (middle, found) }
        }
        return low
    }
}
