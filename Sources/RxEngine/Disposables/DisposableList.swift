/// Disposables in insertion order, each with a key of its own.
///
/// A removed disposable is returned, so that the caller can release it after it has unlocked the lock that guards the
/// list.
///
/// - Complexity: Adding and removing take amortised constant time, in whatever order disposables are removed, apart
///   from the search for the key (see ``AscendingKeys``).
struct DisposableList {
    /// Identifies a disposable in the list.
    typealias Key = UInt64

    /// By ascending key. One that was removed leaves a hole; when most are holes, they are closed.
    private var entries: [(key: Key, disposable: (any Disposable)?)] = []
    private var lastKey: Key = 0

    /// How many there are.
    private(set) var count = 0

    /// Adds a disposable.
    mutating func append(_ disposable: any Disposable) -> Key {
        lastKey += 1
        count += 1
        entries.append((lastKey, disposable))
        return lastKey
    }

    /// - Returns: the disposable, where it was in the list.
    mutating func remove(_ key: Key) -> (any Disposable)? {
        guard let index = place(of: key), let disposable = entries[index].disposable.take() else { return nil }
        count -= 1
        while let last = entries.last, last.disposable == nil { entries.removeLast() }
        if entries.count > 2 * count + 16 { entries.removeAll { $0.disposable == nil } }
        return disposable
    }

    /// Whether there is a disposable under the key.
    func contains(_ key: Key) -> Bool {
        place(of: key).map { entries[$0].disposable != nil } ?? false
    }

    private func place(of key: Key) -> Int? {
        let index = AscendingKeys.firstIndex(notBelow: key, in: 0..<entries.count) { entries[$0].key }
        return index < entries.count && entries[index].key == key ? index : nil
    }

    /// Empties the list.
    ///
    /// - Returns: the list as it was.
    mutating func takeAll() -> DisposableList {
        defer {
            entries = []
            count = 0
        }
        return self
    }

    /// Disposes them all, the last to come first.
    func disposeLatestFirst() {
        for entry in entries.reversed() { entry.disposable?.dispose() }
    }

    /// Disposes them all, in the order they came.
    func dispose() {
        for entry in entries { entry.disposable?.dispose() }
    }
}
