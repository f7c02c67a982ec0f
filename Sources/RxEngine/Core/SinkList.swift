/// The sinks that a subject or a shared connection delivers to, in the order they came.
///
/// Whoever removes a sink lets go of it outside the lock that guards the list.
///
/// The list does not know its sinks' type of element, its owner does: walking a list of a generic type would cost more
/// than delivering.
struct SinkList {
    /// Names a sink in the list.
    typealias Key = UInt64

    private typealias Entry = (key: Key, sink: AnySink)

    private var firstKey: Key = 0
    /// The oldest. Most lists have no other, and need no memory of their own.
    private(set) var first: AnySink?
    /// The others, by ascending key.
    private var others: [Entry] = []
    private var lastKey: Key = 0

    var isEmpty: Bool { first == nil }

    /// Whether there is one at the most.
    var isSingle: Bool { others.isEmpty }

    /// A key for a sink that joins now or later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    /// Adds a sink, at the place that its key gives it.
    @inline(__always)
    mutating func add(_ sink: AnySink, as key: Key) {
        if first == nil { (firstKey, first) = (key, sink) } else { addToOthers(sink, as: key) }
    }

    @inline(never)
    private mutating func addToOthers(_ sink: AnySink, as key: Key) {
        if key > firstKey {
            others.insert((key, sink), at: place(of: key))
        } else if let former = first {
            others.insert((firstKey, former), at: 0)
            (firstKey, first) = (key, sink)
        }
    }

    /// - Returns: the sink, where it was in the list.
    @inline(__always)
    mutating func remove(_ key: Key) -> AnySink? {
        if key == firstKey, others.isEmpty { return first.take() }
        return removeOfSeveral(key)
    }

    @inline(never)
    private mutating func removeOfSeveral(_ key: Key) -> AnySink? {
        guard !others.isEmpty, key >= firstKey else { return nil }
        if key == firstKey {
            let sink = first
            (firstKey, first) = others.removeFirst()
            return sink
        }
        let index = place(of: key)
        guard index < others.count, others[index].key == key else { return nil }
        return others.remove(at: index).sink
    }

    /// Where the key is among the others, or would be.
    private func place(of key: Key) -> Int {
        guard let last = others.last, last.key >= key else { return others.count }
        var low = 0
        var high = others.count - 1
        while low < high {
            let middle = (low + high) / 2
            if others[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Empties the list.
    ///
    /// - Returns: the list as it was.
    mutating func takeAll() -> SinkList {
        defer {
            first = nil
            others = []
        }
        return self
    }

    /// All of them.
    var all: [AnySink] { (first.map { [$0] } ?? []) + others.map(\.sink) }

    func forEachKey(_ body: (Key) -> Void) {
        if first != nil { body(firstKey) }
        for entry in others { body(entry.key) }
    }

    /// What tells several sinks an element. The caller knows that `Element` is their type.
    func fanOut<Element>(to type: Element.Type) -> AnySink? {
        first.map { FanOut<Element>($0, others.map(\.sink)) }
    }

    /// What tells them all an element; `nil` where there is none. The caller knows that `Element` is their type.
    func receiver<Element>(of type: Element.Type) -> EventReceiver<Element>? {
        (isSingle ? first : fanOut(to: type)).map { unsafeDowncast($0, to: EventReceiver<Element>.self) }
    }

    /// Tells every sink how the sequence ended. The caller knows that `Element` is their type.
    func stop<Element>(with end: Termination, _ type: Element.Type) {
        func stop(_ sink: AnySink) {
            if unsafeDowncast(sink, to: Sink<Element>.self).live.isActive { sink.stop(with: end) }
        }
        if let first { stop(first) }
        for entry in others { stop(entry.sink) }
    }
}

/// Several sinks as one. It never changes. A sink whose subscription is over is passed over: one that is told before it
/// may have disposed it.
private final class FanOut<Element>: EventReceiver<Element> {
    private let sinks: UnsafeMutablePointer<Unmanaged<AnySink>>
    private let count: Int

    init(_ first: AnySink, _ others: [AnySink]) {
        count = 1 + others.count
        sinks = .allocate(capacity: count)
        sinks.initialize(to: .passRetained(first))
        for (index, sink) in others.enumerated() { (sinks + 1 + index).initialize(to: .passRetained(sink)) }
    }

    deinit {
        for index in 0..<count { sinks[index].release() }
        sinks.deallocate()
    }

    override func next(_ element: Element) {
        for index in 0..<count {
            sinks[index]._withUnsafeGuaranteedRef {
                let sink = unsafeDowncast($0, to: Sink<Element>.self)
                if sink.live.isActive { sink.next(element) }
            }
        }
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
