/// A queue with bounded concurrency that serves its keys round-robin: a slow key does not block the others.
///
/// A key whose last item hung is slow until one does not. Slow keys share a part of the slots, so that any number of
/// them leaves slots to the others.
struct FairQueue<Key: Hashable, Item> {
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
    private(set) var running = 0
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

    /// Adds an item, to begin after the items of its key that were added before.
    mutating func add(_ item: Item, for key: Key) {
        keys[key, default: KeyState()].items.append(item)
        makeReady(key)
    }

    /// Returns the next item to begin, which counts as running; `nil` if none may begin.
    mutating func next() -> Item? {
        let withoutSlot = max(0, runningSlow - limitOfSlowKeys)
        guard running < hardLimit, running - withoutSlot < limit else { return nil }
        while let key = readyKeys.popFirst() {
            if !isSlow(key) { return begin(key) }
            readySlowKeys.append(key)
        }
        guard runningSlow < limitOfSlowKeys, let key = readySlowKeys.popFirst() else { return nil }
        return begin(key)
    }

    /// Records that a running item of this key hangs: it takes too long already.
    mutating func hangs(_ key: Key) {
        guard let state = keys[key], state.hanging < state.running else { return }
        if !isSlow(key) { runningSlow += state.running }
        keys[key]?.hanging += 1
    }

    /// Records that a running item of this key has ended.
    ///
    /// - Parameters:
    ///   - key: the key of the item.
    ///   - hung: whether it took too long; `nil` if that is unknown.
    ///   - wasHanging: whether `hangs` was called for it.
    mutating func ended(_ key: Key, hung: Bool?, wasHanging: Bool = false) {
        guard let state = keys[key], state.running > 0 else { return }
        let wasSlow = isSlow(key)
        if wasSlow { runningSlow -= state.running }
        running -= 1
        keys[key]?.running -= 1
        if wasHanging, state.hanging > 0 { keys[key]?.hanging -= 1 }
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

    private mutating func begin(_ key: Key) -> Item? {
        keys[key]?.isReady = false
        guard let item = keys[key]?.items.popFirst() else { return nil }
        keys[key]?.running += 1
        running += 1
        if isSlow(key) { runningSlow += 1 }
        makeReady(key)
        return item
    }
}
