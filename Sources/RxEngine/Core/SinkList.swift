/// The sinks that a subject or a shared connection delivers to, in the order they came.
///
/// Taking a copy to deliver from costs one retain; joining and leaving copy the list only while someone delivers from
/// such a copy. Whoever removes a sink lets go of it outside the lock that guards the list.
///
/// The list does not know its sinks' type of element, its owner does: walking a list of a generic type would cost more
/// than delivering.
struct SinkList {
    /// Names a sink in the list.
    typealias Key = UInt64

    /// By ascending key.
    private var entries: [(key: Key, sink: AnySink)] = []
    private var lastKey: Key = 0

    var isEmpty: Bool { entries.isEmpty }

    /// A key for a sink that joins now or later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    /// Adds a sink, at the place that its key gives it.
    mutating func add(_ sink: AnySink, as key: Key) {
        entries.insert((key, sink), at: place(of: key))
    }

    /// - Returns: the sink, where it was in the list.
    mutating func remove(_ key: Key) -> AnySink? {
        let index = place(of: key)
        guard index < entries.count, entries[index].key == key else { return nil }
        return entries.remove(at: index).sink
    }

    /// Where the key is, or would be.
    private func place(of key: Key) -> Int {
        guard let last = entries.last, last.key >= key else { return entries.count }
        var low = 0
        var high = entries.count - 1
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Empties the list.
    ///
    /// - Returns: the list as it was.
    mutating func takeAll() -> SinkList {
        defer { entries = [] }
        return self
    }

    /// Tells every sink an element. The caller knows that `Element` is the type of them all.
    func next<Element>(_ element: Element) {
        for entry in entries { unsafeDowncast(entry.sink, to: Sink<Element>.self).next(element) }
    }

    /// Tells every sink how the sequence ended.
    func stop(with end: Termination) {
        for entry in entries { entry.sink.stop(with: end) }
    }
}

/// How a sequence ended.
enum Termination {
    case error(any Error)
    case completed
}

extension Event {
    init(_ end: Termination) {
        switch end {
        case .error(let error): self = .error(error)
        case .completed: self = .completed
        }
    }
}
