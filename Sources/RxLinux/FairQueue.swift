/// The slot of an item of a ``FairQueue`` that runs.
struct QueueSlot<Key: Hashable & Sendable>: Hashable, Sendable {
    fileprivate let number: Int
    fileprivate let key: Key
}

/// A queue with bounded concurrency that serves its keys round-robin: a slow key does not block the others.
///
/// A key whose last item hung is slow until one does not. Slow keys share a part of the slots, so that any number of
/// them leaves slots to the others. A key whose last item did not hang is prompt, and one that is neither is new: a
/// queue may prefer prompt keys to new ones.
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
    private let prefersPromptKeys: Bool
    private var keys: [Key: KeyState] = [:]
    /// The keys whose last item hung.
    private var slowKeys: Set<Key> = []
    /// The keys whose last item did not hang, if these are preferred.
    private var promptKeys: Set<Key> = []
    private var readyPromptKeys: Queue<Key> = []
    /// How many items of prompt keys have begun since the last one of a new key.
    private var promptInRow = 0
    private var readyKeys: Queue<Key> = []
    private var readySlowKeys: Queue<Key> = []
    /// The ready keys whose first item has yielded its slot.
    private var readyYieldedKeys: Queue<Key> = []
    /// Whether each running item hangs, by the numbers of the slots.
    private var slots: [Int: Bool] = [:]
    /// The numbers of the slots whose items yield them, but have not ended yet.
    private var yieldingSlots: Set<Int> = []
    private var lastSlot = 0
    /// How many items of slow keys run.
    private var runningSlow = 0

    /// The most slow keys to remember: keys may be derived from events, so their number has no bound.
    private static var maximumSlowKeys: Int { 10_000 }
    private static var maximumPromptKeys: Int { 4_096 }
    /// The most items of prompt keys that begin before one of a new key.
    private static var maximumPromptInRow: Int { 16 }

    /// - Parameters:
    ///   - limit: the most items that run at once, not counting those of slow keys beyond `limitOfSlowKeys`.
    ///   - hardLimit: the most items that run at once; `nil` for `limit`.
    ///   - limitPerKey: the most items of one key that run at once.
    ///   - limitOfSlowKeys: the most items of all slow keys together that may begin.
    ///   - prefersPromptKeys: whether prompt keys are served before new ones.
    init(
        limit: Int, hardLimit: Int? = nil, limitPerKey: Int, limitOfSlowKeys: Int, prefersPromptKeys: Bool = false
    ) {
        self.limit = max(1, limit)
        self.hardLimit = max(self.limit, hardLimit ?? 0)
        self.limitPerKey = max(1, limitPerKey)
        self.limitOfSlowKeys = max(1, limitOfSlowKeys)
        self.prefersPromptKeys = prefersPromptKeys
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
        // Other keys may have items all the time, and one that has yielded has waited before.
        if runningSlow < limitOfSlowKeys, let key = readyYieldedKeys.popFirst() { return begin(key) }
        if let key = nextOrdinaryKey() { return begin(key) }
        guard runningSlow < limitOfSlowKeys, let key = readySlowKeys.popFirst() else { return nil }
        return begin(key)
    }

    /// Returns the next ready key that is not slow.
    private mutating func nextOrdinaryKey() -> Key? {
        // The other keys get a slot however many items the prompt ones have.
        if promptInRow < Self.maximumPromptInRow, let key = popOrdinaryKey(from: \.readyPromptKeys) {
            promptInRow += 1
            return key
        }
        promptInRow = 0
        return popOrdinaryKey(from: \.readyKeys) ?? popOrdinaryKey(from: \.readyPromptKeys)
    }

    private mutating func popOrdinaryKey(from list: WritableKeyPath<Self, Queue<Key>>) -> Key? {
        while let key = self[keyPath: list].popFirst() {
            if !isSlow(key) { return key }
            readySlowKeys.append(key)
        }
        return nil
    }

    /// Whether the last item of the key did not hang, and none of it hangs now.
    ///
    /// - Returns: `false` for all keys if prompt ones are not preferred.
    func isPrompt(_ key: Key) -> Bool { promptKeys.contains(key) && !isSlow(key) }

    /// Decides whether a running item yields its slot, and records that: the caller then ends the item and calls
    /// ``requeue(_:after:)`` or ``ended(_:hung:)``. Until then, its slot does not count for the others that hang.
    ///
    /// - Parameters:
    ///   - slot: the slot of the item.
    ///   - isWaiting: whether anything still waits for an item that has not begun.
    mutating func yields(_ slot: QueueSlot<Key>, to isWaiting: (Item) -> Bool) -> Bool {
        guard !yieldingSlots.contains(slot.number), blocksOthers(slot, isWaiting) else { return false }
        yieldingSlots.insert(slot.number)
        return true
    }

    /// Whether an item hangs, and prevents one of a key that is not slow from beginning: the slow keys have more than
    /// their part of the slots, also without those that yield already.
    private func blocksOthers(_ slot: QueueSlot<Key>, _ isWaiting: (Item) -> Bool) -> Bool {
        guard isHanging(slot), runningSlow - yieldingSlots.count > limitOfSlowKeys else { return false }
        func isWaitedFor(_ key: Key) -> Bool {
            !isSlow(key) && keys[key]?.items.contains(where: isWaiting) == true
        }
        return readyPromptKeys.contains(where: isWaitedFor) || readyKeys.contains(where: isWaitedFor)
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
        yieldingSlots.remove(slot.number)
        let wasSlow = isSlow(key)
        if wasSlow { runningSlow -= state.running }
        keys[key]?.running -= 1
        if wasHanging { keys[key]?.hanging -= 1 }
        if let hung { remember(key, isSlow: hung) }
        if isSlow(key) {
            runningSlow += state.running - 1
        } else if wasSlow, readySlowKeys.contains(key) || readyYieldedKeys.contains(key) {
            removeReady(key)
            appendReady(key)
        }
        makeReady(key)
        if let state = keys[key], state.items.isEmpty, state.running == 0, !state.isReady { keys[key] = nil }
    }

    /// Ends the slot of an item that has yielded it, and adds the item again: it begins as soon as the slow keys have a
    /// free slot, before all others except those that have yielded earlier.
    mutating func requeue(_ item: Item, after slot: QueueSlot<Key>) {
        let key = slot.key
        ended(slot, hung: true)
        keys[key, default: KeyState()].items.prepend(item)
        keys[key]?.isReady = true
        removeReady(key)
        readyYieldedKeys.append(key)
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
            guard prefersPromptKeys else { return }
            // Keys that are not used any more are forgotten this way.
            if promptKeys.count >= Self.maximumPromptKeys { promptKeys = [] }
            promptKeys.insert(key)
            return
        }
        promptKeys.remove(key)
        // Without this, keys that no longer have items would fill the set.
        if slowKeys.count >= Self.maximumSlowKeys { slowKeys = slowKeys.filter { keys[$0] != nil } }
        slowKeys.insert(key)
    }

    private mutating func makeReady(_ key: Key) {
        guard let state = keys[key], !state.isReady, !state.items.isEmpty, state.running < limitPerKey else { return }
        keys[key]?.isReady = true
        appendReady(key)
    }

    private mutating func appendReady(_ key: Key) {
        if isSlow(key) {
            readySlowKeys.append(key)
        } else if promptKeys.contains(key) {
            readyPromptKeys.append(key)
        } else {
            readyKeys.append(key)
        }
    }

    /// Removes the key from the lists of ready keys.
    private mutating func removeReady(_ key: Key) {
        let lists: [WritableKeyPath<Self, Queue<Key>>] = [
            \.readyPromptKeys, \.readyKeys, \.readySlowKeys, \.readyYieldedKeys,
        ]
        for list in lists where self[keyPath: list].contains(key) {
            self[keyPath: list] = Queue(self[keyPath: list].filter { $0 != key })
        }
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
