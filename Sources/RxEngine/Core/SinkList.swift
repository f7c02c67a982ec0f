/// The sinks that a subject or a shared connection delivers to, in subscription order.
///
/// A removed sink is returned, so that the caller can release it after it has unlocked the lock that guards the list.
///
/// It is an array with gaps and not a ``RingBuffer``, because a sink is removed from any place.
///
/// The list is not generic over the element type of its sinks, which its user knows: iterating over a generic list
/// would cost more than delivering.
///
/// - Complexity: Adding a sink with the latest key takes amortized constant time. So does removing one, in whatever
///   order sinks are removed, apart from the search for its key (see ``AscendingKeys``). Only adding a sink with an
///   older key, which happens if others subscribe while a subscriber catches up, may move all later sinks.
struct SinkList {
    /// The number of a sink in subscription order, which identifies it in the list.
    typealias Key = UInt64

    /// A sink with its key. A removed sink leaves a gap.
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

    /// Whether the list has at most one sink.
    var isSingle: Bool { otherCount == 0 }

    var count: Int { first == nil ? 0 : 1 + otherCount }

    /// Makes a key for a sink that the caller adds now or later.
    mutating func makeKey() -> Key {
        lastKey += 1
        return lastKey
    }

    /// Adds a sink at the position that its key determines.
    @inline(__always)
    mutating func add(_ sink: AnySink, as key: Key) {
        if first == nil { (firstKey, first) = (key, sink) } else { addToOthers(sink, as: key) }
        checkWhileSmall()
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
        defer { checkWhileSmall() }
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

    /// Traps in a debug build if the state is one that no operation leads to.
    func checkInvariants() {
        #if DEBUG
        let held = others[head...].filter { $0.sink != nil }
        precondition(held.count == otherCount, "a sink list has a wrong count")
        precondition(others[..<head].allSatisfy { $0.sink == nil }, "a sink list has a sink before its head")
        guard otherCount > 0 else { return precondition(others.isEmpty && head == 0, "an empty sink list has gaps") }
        precondition(first != nil, "a sink list has other sinks but no first sink")
        precondition(
            others[head].sink != nil && others[others.count - 1].sink != nil, "a sink list begins or ends with a gap")
        let keys = [firstKey] + others[head...].map(\.key)
        precondition(zip(keys, keys.dropFirst()).allSatisfy(<), "the keys of a sink list do not ascend")
        #endif
    }

    /// Checks in linear time, so only while the list is small.
    @inline(__always)
    private func checkWhileSmall() {
        if others.count <= 32 { checkInvariants() }
    }

    /// The sinks, in subscription order.
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

    /// Makes a receiver that delivers each element to all sinks. `Element` must be their element type.
    func fanOut<Element>(to type: Element.Type) -> any AnyFanOut {
        FanOut<Element>(self)
    }

    /// Returns a receiver that delivers each element to all sinks: the only sink, or a new fan-out. `nil` if the list
    /// is empty. `Element` must be their element type.
    func receiver<Element>(of type: Element.Type) -> EventReceiver<Element>? {
        let receiver: AnySink? = isSingle ? first : fanOut(to: type)
        return receiver.map { unsafeDowncast($0, to: EventReceiver<Element>.self) }
    }

    /// Delivers the terminal event to every sink. `Element` must be their element type.
    func terminate<Element>(with end: Termination, _ type: Element.Type) {
        forEach { _, sink in
            if unsafeDowncast(sink, to: Sink<Element>.self).live.isActive { sink.terminate(with: end) }
        }
    }
}

/// A receiver that delivers to several sinks.
protocol AnyFanOut: AnySink {
    /// Removes a sink. Called while no thread delivers through this receiver or can begin to.
    ///
    /// - Returns: `false` if a new receiver should be made instead, because the sink is unknown or at least half of
    ///   the sinks are removed already.
    func remove(_ key: SinkList.Key) -> Bool
}

/// Several sinks as one receiver. It skips a sink whose subscription is over: an earlier sink may have disposed it
/// during the same delivery.
private final class FanOut<Element>: EventReceiver<Element>, AnyFanOut {
    /// The sinks, in subscription order. A removed sink leaves a gap.
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
