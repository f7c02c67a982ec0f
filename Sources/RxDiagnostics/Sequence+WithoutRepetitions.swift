extension Sequence {
    /// The elements, without those that have the same key as an earlier one.
    package func withoutRepetitions<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The elements, without those that are equal to an earlier one.
    package var withoutRepetitions: [Element] { withoutRepetitions { $0 } }
}
