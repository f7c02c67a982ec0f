/// The sinks that a subject or a shared connection delivers to, in the order they came.
///
/// Taking a copy to deliver from costs one retain; only joining and leaving copy the list itself. A list's owner keeps
/// the copy from before a removal until it has left its lock, so that nothing is let go of under it.
///
/// The list does not know its sinks' type of element, its owner does: walking a list of a generic type would cost more
/// than delivering.
struct SinkList {
    /// Names a sink in the list.
    typealias Key = UInt64

    private var entries: [(key: Key, sink: AnySink)] = []
    private var lastKey: Key = 0

    var isEmpty: Bool { entries.isEmpty }

    /// A key for a sink that joins now or later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    mutating func append(_ sink: AnySink, as key: Key) {
        entries.append((key, sink))
    }

    /// - Returns: whether the sink was in the list.
    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
        entries.remove(at: index)
        return true
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
