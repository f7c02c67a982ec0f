// Unchecked: sinks are called by the grammar of events, one call after the other, whichever thread holds the list.
/// The sinks that a subject or a shared connection delivers to, in the order they came.
///
/// Taking a copy to deliver from costs one retain; only joining and leaving copy the list itself. A list's owner keeps
/// the copy from before a removal until it has left its lock, so that nothing is let go of under it.
struct SinkList<Element>: @unchecked Sendable {
    /// Names a sink in the list.
    typealias Key = UInt64

    private(set) var sinks: [Sink<Element>] = []
    private var keys: [Key] = []
    private var lastKey: Key = 0

    var isEmpty: Bool { sinks.isEmpty }

    mutating func append(_ sink: Sink<Element>) -> Key {
        let key = makeKey()
        append(sink, as: key)
        return key
    }

    /// A key for a sink that will join later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    mutating func append(_ sink: Sink<Element>, as key: Key) {
        sinks.append(sink)
        keys.append(key)
    }

    /// - Returns: whether the sink was in the list.
    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
        guard let index = keys.firstIndex(of: key) else { return false }
        keys.remove(at: index)
        sinks.remove(at: index)
        return true
    }

    /// Empties the list.
    ///
    /// - Returns: the list as it was.
    mutating func takeAll() -> SinkList {
        defer {
            sinks = []
            keys = []
        }
        return self
    }
}
