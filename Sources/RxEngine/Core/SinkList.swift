/// The sinks that a subject or a shared connection delivers to, in subscription order.
///
/// A removed sink is returned, so that the caller can release it after it has unlocked the lock that guards the list.
///
/// The list does not know its sinks' type of element, its owner does: walking a list of a generic type would cost more
/// than delivering.
///
/// - Complexity: Adding a sink with the latest key takes amortised constant time. So does removing one, in whatever
///   order sinks are removed, apart from the search for its key (see ``AscendingKeys``). Only adding a sink with an
///   older key, which happens when a subscriber has to catch up while others subscribe, may move all later sinks.
struct SinkList {
    /// Identifies a sink in the list.
    typealias Key = UInt64

    /// A removed sink leaves a gap.
    private struct Entry {
        var key: Key
        var sink: AnySink?
    }

    private var firstKey: Key = 0
    /// The oldest sink. Most lists have no other, and allocate nothing.
    private(set) var first: AnySink?
    /// The other sinks, by ascending key. The entry at `head` and the last one are not gaps; all before `head` are.
    private var others: [Entry] = []
    private var head = 0
    /// How many of `others` are not gaps.
    private var otherCount = 0
    private var lastKey: Key = 0

    var isEmpty: Bool { first == nil }

    /// Whether there is one sink at most.
    var isSingle: Bool { otherCount == 0 }

    var count: Int { first == nil ? 0 : 1 + otherCount }

    /// Makes a key for a sink that is added now or later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    /// Adds a sink at the position that its key determines.
    @inline(__always)
    mutating func add(_ sink: AnySink, as key: Key) {
        if first == nil { (firstKey, first) = (key, sink) } else { addToOthers(sink, as: key) }
    }

    @inline(never)
    private mutating func addToOthers(_ sink: AnySink, as key: Key) {
        otherCount += 1
        if key < firstKey {
            let former = Entry(key: firstKey, sink: first)
            (firstKey, first) = (key, sink)
            if head > 0 {
                head -= 1
                others[head] = former
            } else {
                others.insert(former, at: 0)
            }
        } else if let last = others.last, last.key > key {
            let index = position(of: key)
            if index > head, others[index - 1].sink == nil {
                others[index - 1] = Entry(key: key, sink: sink)
            } else {
                others.insert(Entry(key: key, sink: sink), at: index)
            }
        } else {
            others.append(Entry(key: key, sink: sink))
        }
    }

    /// Removes a sink.
    ///
    /// - Returns: the sink, if it was in the list.
    @inline(__always)
    mutating func remove(_ key: Key) -> AnySink? {
        if key == firstKey, otherCount == 0 { return first.take() }
        return removeOfSeveral(key)
    }

    @inline(never)
    private mutating func removeOfSeveral(_ key: Key) -> AnySink? {
        guard otherCount > 0, key >= firstKey else { return nil }
        let removed: AnySink?
        if key == firstKey {
            removed = first
            firstKey = others[head].key
            first = others[head].sink.take()
        } else {
            let index = position(of: key)
            guard index < others.count, others[index].key == key, let sink = others[index].sink.take() else {
                return nil
            }
            removed = sink
        }
        otherCount -= 1
        trim()
        return removed
    }

    /// Restores the invariants of `others` after a removal. Every gap is skipped, popped or compacted away once.
    private mutating func trim() {
        guard otherCount > 0 else {
            others.removeAll(keepingCapacity: others.capacity <= 64)
            head = 0
            return
        }
        while others[others.count - 1].sink == nil { others.removeLast() }
        while others[head].sink == nil { head += 1 }
        if others.capacity > 4 * otherCount + 64 { compact() }
    }

    private mutating func compact() {
        var kept: [Entry] = []
        kept.reserveCapacity(otherCount)
        for index in head..<others.count where others[index].sink != nil { kept.append(others[index]) }
        others = kept
        head = 0
    }

    /// The index in `others` of the first key that is not less than `key`.
    private func position(of key: Key) -> Int {
        AscendingKeys.firstIndex(notBelow: key, in: head..<others.count) { others[$0].key }
    }

    /// Empties the list.
    ///
    /// - Returns: the list as it was.
    mutating func takeAll() -> SinkList {
        let all = self
        (first, others, head, otherCount) = (nil, [], 0, 0)
        return all
    }

    /// All sinks, in subscription order.
    var all: [AnySink] {
        var all: [AnySink] = []
        all.reserveCapacity(count)
        forEach { all.append($1) }
        return all
    }

    /// Calls `body` with every sink and its key, in subscription order.
    @inline(__always)
    func forEach(_ body: (Key, AnySink) -> Void) {
        if let first { body(firstKey, first) }
        for index in head..<others.count {
            if let sink = others[index].sink { body(others[index].key, sink) }
        }
    }

    /// A receiver that delivers an element to all of several sinks. The caller knows that `Element` is their type.
    func fanOut<Element>(to type: Element.Type) -> any FanningOut {
        FanOut<Element>(self)
    }

    /// A receiver that delivers an element to all sinks; `nil` if there is none. The caller knows that `Element` is
    /// their type.
    func receiver<Element>(of type: Element.Type) -> EventReceiver<Element>? {
        let receiver: AnySink? = isSingle ? first : fanOut(to: type)
        return receiver.map { unsafeDowncast($0, to: EventReceiver<Element>.self) }
    }

    /// Delivers the terminal event to every sink. The caller knows that `Element` is their type.
    func stop<Element>(with end: Termination, _ type: Element.Type) {
        forEach { _, sink in
            if unsafeDowncast(sink, to: Sink<Element>.self).live.isActive { sink.stop(with: end) }
        }
    }
}

/// A receiver that delivers to several sinks.
protocol FanningOut: AnySink {
    /// Removes a sink, while no thread delivers through this receiver and nothing else can begin to.
    ///
    /// - Returns: `false` if a new receiver should be made instead: the sink is unknown, or most are removed already.
    func remove(_ key: SinkList.Key) -> Bool
}

/// Several sinks as one receiver. A sink whose subscription is over is skipped: a sink before it may have disposed it.
private final class FanOut<Element>: EventReceiver<Element>, FanningOut {
    /// A removed sink leaves a gap.
    private let sinks: UnsafeMutablePointer<Unmanaged<AnySink>?>
    private let keys: UnsafeMutablePointer<SinkList.Key>
    private let count: Int
    private var gaps = 0

    init(_ list: SinkList) {
        let sinks = UnsafeMutablePointer<Unmanaged<AnySink>?>.allocate(capacity: list.count)
        let keys = UnsafeMutablePointer<SinkList.Key>.allocate(capacity: list.count)
        var index = 0
        list.forEach { key, sink in
            (sinks + index).initialize(to: .passRetained(sink))
            (keys + index).initialize(to: key)
            index += 1
        }
        (self.sinks, self.keys, count) = (sinks, keys, index)
    }

    deinit {
        for index in 0..<count { sinks[index]?.release() }
        sinks.deallocate()
        keys.deallocate()
    }

    override func next(_ element: Element) {
        for index in 0..<count {
            sinks[index]?._withUnsafeGuaranteedRef {
                let sink = unsafeDowncast($0, to: Sink<Element>.self)
                if sink.live.isActive { sink.next(element) }
            }
        }
    }

    func remove(_ key: SinkList.Key) -> Bool {
        let index = AscendingKeys.firstIndex(notBelow: key, in: 0..<count) { keys[$0] }
        guard 2 * gaps < count, index < count, keys[index] == key, let sink = sinks[index] else { return false }
        sinks[index] = nil
        gaps += 1
        sink.release()
        return true
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
