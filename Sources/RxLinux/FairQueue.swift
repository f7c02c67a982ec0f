/// The slot of an item of a ``FairQueue`` that runs.
struct QueueSlot<Key: Hashable & Sendable>: Hashable, Sendable {
    fileprivate let number: Int
    fileprivate let key: Key
}

/// A queue with bounded concurrency that serves its keys round-robin: a slow key does not block the others.
///
/// A key whose last item hung is slow until one does not. Slow keys share a part of the slots, so that any number of
/// them leaves slots to the others.
struct FairQueue<Key: Hashable & Sendable, Item> {
    /// The queued and the running items of a key.
    private struct KeyState {
        var items: Queue<Item> = []
        var running = 0
        /// How many of the running items hang.
        var hanging = 0
        /// Whether the key is in one of the lists of ready keys.
        var isReady = false
    }

    private let limit: Int
    private let hardLimit: Int
    private let limitPerKey: Int
    private let limitOfSlowKeys: Int
    private var keys: [Key: KeyState] = [:]
    /// The keys whose last item hung.
    private var slowKeys: Set<Key> = []
    private var readyKeys: Queue<Key> = []
    private var readySlowKeys: Queue<Key> = []
    /// Whether each running item hangs, by the numbers of the slots.
    private var slots: [Int: Bool] = [:]
    private var lastSlot = 0
    /// How many items of slow keys run.
    private var runningSlow = 0

    /// The most slow keys to remember: keys may be derived from events, so their number has no bound.
    private static var maximumSlowKeys: Int { 10_000 }

    /// - Parameters:
    ///   - limit: the most items that run at once, not counting those of slow keys beyond `limitOfSlowKeys`.
    ///   - hardLimit: the most items that run at once; `nil` for `limit`.
    ///   - limitPerKey: the most items of one key that run at once.
    ///   - limitOfSlowKeys: the most items of all slow keys together that may begin.
    init(limit: Int, hardLimit: Int? = nil, limitPerKey: Int, limitOfSlowKeys: Int) {
        self.limit = max(1, limit)
        self.hardLimit = max(self.limit, hardLimit ?? 0)
        self.limitPerKey = max(1, limitPerKey)
        self.limitOfSlowKeys = max(1, limitOfSlowKeys)
    }

    /// The number of running items.
    var running: Int { slots.count }

    /// Adds an item, to begin after the items of its key that were added before.
    mutating func add(_ item: Item, for key: Key) {
        keys[key, default: KeyState()].items.append(item)
        makeReady(key)
    }

    /// Whether an item of this key begins at once if it is added when no other may begin.
    func hasSlot(for key: Key) -> Bool {
        guard canBegin, !isSlow(key) || runningSlow < limitOfSlowKeys else { return false }
        guard let state = keys[key] else { return true }
        return state.items.isEmpty && state.running < limitPerKey
    }

    /// Returns the next item to begin, which counts as running until its slot ends; `nil` if none may begin.
    mutating func next() -> (item: Item, slot: QueueSlot<Key>)? {
        guard canBegin else { return nil }
        while let key = readyKeys.popFirst() {
            if !isSlow(key) { return begin(key) }
            readySlowKeys.append(key)
        }
        guard runningSlow < limitOfSlowKeys, let key = readySlowKeys.popFirst() else { return nil }
        return begin(key)
    }

    /// Whether the item hangs.
    func isHanging(_ slot: QueueSlot<Key>) -> Bool { slots[slot.number] == true }

    /// Records that a running item hangs: it takes too long already.
    ///
    /// - Returns: whether it runs and did not hang before. Others may begin then.
    mutating func hangs(_ slot: QueueSlot<Key>) -> Bool {
        guard slots[slot.number] == false, let state = keys[slot.key] else { return false }
        slots[slot.number] = true
        if !isSlow(slot.key) { runningSlow += state.running }
        keys[slot.key]?.hanging += 1
        return true
    }

    /// Records that a running item has ended.
    ///
    /// - Parameters:
    ///   - slot: the slot of the item.
    ///   - hung: whether it took too long; `nil` if that is unknown.
    mutating func ended(_ slot: QueueSlot<Key>, hung: Bool?) {
        let key = slot.key
        guard let wasHanging = slots.removeValue(forKey: slot.number), let state = keys[key] else { return }
        let wasSlow = isSlow(key)
        if wasSlow { runningSlow -= state.running }
        keys[key]?.running -= 1
        if wasHanging { keys[key]?.hanging -= 1 }
        if let hung { remember(key, isSlow: hung) }
        if isSlow(key) {
            runningSlow += state.running - 1
        } else if wasSlow, readySlowKeys.contains(key) {
            readySlowKeys = Queue(readySlowKeys.filter { $0 != key })
            readyKeys.append(key)
        }
        makeReady(key)
        if let state = keys[key], state.items.isEmpty, state.running == 0, !state.isReady { keys[key] = nil }
    }

    /// Whether an item of a key that is not slow may begin.
    private var canBegin: Bool {
        let withoutSlot = max(0, runningSlow - limitOfSlowKeys)
        return running < hardLimit && running - withoutSlot < limit
    }

    /// Whether the items of this key share the slots of the slow ones.
    private func isSlow(_ key: Key) -> Bool {
        slowKeys.contains(key) || keys[key].map { $0.hanging > 0 } == true
    }

    private mutating func remember(_ key: Key, isSlow: Bool) {
        guard isSlow else {
            slowKeys.remove(key)
            return
        }
        // Without this, keys that no longer have items would fill the set.
        if slowKeys.count >= Self.maximumSlowKeys { slowKeys = slowKeys.filter { keys[$0] != nil } }
        slowKeys.insert(key)
    }

    private mutating func makeReady(_ key: Key) {
        guard let state = keys[key], !state.isReady, !state.items.isEmpty, state.running < limitPerKey else { return }
        keys[key]?.isReady = true
        if isSlow(key) { readySlowKeys.append(key) } else { readyKeys.append(key) }
    }

    private mutating func begin(_ key: Key) -> (item: Item, slot: QueueSlot<Key>)? {
        keys[key]?.isReady = false
        guard let item = keys[key]?.items.popFirst() else { return nil }
        keys[key]?.running += 1
        lastSlot += 1
        slots[lastSlot] = false
        if isSlow(key) { runningSlow += 1 }
        makeReady(key)
        return (item, QueueSlot(number: lastSlot, key: key))
    }
}
