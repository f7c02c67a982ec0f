/// Disposables in insertion order, each with its own key.
///
/// A removed disposable is returned, so that the caller can release it after it has unlocked the lock that guards the
/// list.
///
/// - Complexity: Adding and removing take amortized constant time, in whatever order disposables are removed, apart
///   from the search for the key (see ``AscendingKeys``).
struct DisposableList {
    /// Identifies a disposable in the list.
    typealias Key = UInt64

    /// A disposable with its key. A removed disposable leaves a gap.
    ///
    /// Not a tuple: the compiler copies a whole tuple, by its runtime type, to read one part of it.
    private struct Entry {
        let key: Key
        var disposable: (any Disposable)?
    }

    /// By ascending key. The last one is not a gap; when most entries are gaps, they are compacted away.
    private var entries: [Entry] = []
    private var lastKey: Key = 0

    /// The number of disposables.
    private(set) var count = 0

    /// Adds a disposable.
    mutating func append(_ disposable: any Disposable) -> Key {
        lastKey += 1
        count += 1
        entries.append(Entry(key: lastKey, disposable: disposable))
        return lastKey
    }

    /// Removes a disposable.
    ///
    /// - Returns: the disposable, if it was in the list.
    mutating func remove(_ key: Key) -> (any Disposable)? {
        guard let index = entryIndex(of: key), let disposable = entries[index].disposable.take() else { return nil }
        count -= 1
        while !entries.isEmpty, entries[entries.count - 1].disposable == nil { entries.removeLast() }
        if entries.count > 2 * count + 16 { entries.removeAll { $0.disposable == nil } }
        return disposable
    }

    /// Whether the list has a disposable with this key.
    func contains(_ key: Key) -> Bool {
        entryIndex(of: key).map { entries[$0].disposable != nil } ?? false
    }

    private func entryIndex(of key: Key) -> Int? {
        let index = AscendingKeys.firstIndex(notBelow: key, in: 0..<entries.count) { entries[$0].key }
        return index < entries.count && entries[index].key == key ? index : nil
    }

    /// The disposables.
    var all: [any Disposable] { entries.compactMap(\.disposable) }

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

    /// Disposes all, the last inserted first.
    func disposeLatestFirst() {
        for entry in entries.reversed() { entry.disposable?.dispose() }
    }

    /// Disposes all, in insertion order.
    func dispose() {
        for entry in entries { entry.disposable?.dispose() }
    }
}
