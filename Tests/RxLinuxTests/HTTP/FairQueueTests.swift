import Testing

@testable import RxLinux

struct FairQueueTests {
    /// A queue and the slots of its running items.
    private struct RunningQueue {
        var queue: FairQueue<String, String>
        private var slots: [(key: String, slot: QueueSlot<String>)] = []

        init(_ queue: FairQueue<String, String>) {
            self.queue = queue
        }

        func hasSlot(for key: String) -> Bool { queue.hasSlot(for: key) }

        mutating func add(_ item: String, for key: String) { queue.add(item, for: key) }

        /// Takes all items that may begin.
        mutating func begin() -> [String] {
            var begun: [String] = []
            while let (item, slot) = queue.next() {
                begun.append(item)
                slots.append((String(item.prefix(1)), slot))
            }
            return begun
        }

        /// The first running item of the key hangs that does not already.
        mutating func hangs(_ key: String) {
            let slot = slots.first { $0.key == key && !queue.isHanging($0.slot) }?.slot
            let isNew = slot.map { queue.hangs($0) }
            #expect(isNew == true)
        }

        /// The first running item of the key ends that hangs, or does not.
        ///
        /// - Returns: its slot.
        @discardableResult
        mutating func ended(_ key: String, hung: Bool?, wasHanging: Bool = false) -> QueueSlot<String>? {
            let index = slots.firstIndex { $0.key == key && queue.isHanging($0.slot) == wasHanging }
            #expect(index != nil)
            let slot = index.map { slots.remove(at: $0).slot }
            if let slot { queue.ended(slot, hung: hung) }
            return slot
        }

        /// The first running item of its key that hangs yields its slot, and is added again.
        mutating func yieldsAndIsRequeued(_ item: String) {
            let index = slots.firstIndex { $0.key == item.prefix(1) && queue.isHanging($0.slot) }
            let slot = index.map { slots.remove(at: $0).slot }
            let yields = slot.map { queue.yields($0) { _ in true } }
            #expect(yields == true)
            if let slot { queue.requeue(item, after: slot) }
        }
    }

    private func queue(
        maximum: Int, hard: Int? = nil, ofKey: Int = 9, ofSlowKeys: Int = 9, _ items: String...
    ) -> RunningQueue {
        var queue = RunningQueue(
            FairQueue(limit: maximum, hardLimit: hard, limitPerKey: ofKey, limitOfSlowKeys: ofSlowKeys))
        for item in items { queue.add(item, for: String(item.prefix(1))) }
        return queue
    }

    @Test func keysAreServedRoundRobin() throws {
        var queue = queue(maximum: 3, "a1", "a2", "a3", "b1", "c1")
        #expect(queue.begin() == ["a1", "b1", "c1"])
        queue.ended("a", hung: false)
        queue.ended("b", hung: nil)
        #expect(queue.begin() == ["a2", "a3"])
        queue.add("b2", for: "b")
        #expect(queue.begin() == [])
        for key in ["a", "a"] { queue.ended(key, hung: false) }
        let last = queue.ended("c", hung: false)
        let ended = try #require(last)
        #expect(queue.begin() == ["b2"])
        // An item that has ended cannot end again or hang.
        queue.queue.ended(ended, hung: true)
        let hangs = queue.queue.hangs(ended)
        #expect(!hangs)
        for number in 1...4 { queue.add("d\(number)", for: "d") }
        #expect(queue.begin() == ["d1", "d2"])
    }

    @Test func keyHasLimitOfItsOwn() {
        var queue = queue(maximum: 10, ofKey: 2, "a1", "a2", "a3", "a4", "b1")
        #expect(queue.begin() == ["a1", "b1", "a2"])
        queue.ended("a", hung: false)
        #expect(queue.begin() == ["a3"])
    }

    /// Two slots are free: one is not for slow keys.
    @Test func slotDependsOnKey() {
        var queue = queue(maximum: 3, ofKey: 1, ofSlowKeys: 1, "a1", "a2")
        #expect(queue.begin() == ["a1"])
        #expect(!queue.hasSlot(for: "a") && queue.hasSlot(for: "b"), "no key has two slots")
        queue.add("b1", for: "b")
        #expect(queue.begin() == ["b1"])
        queue.hangs("b")
        queue.ended("a", hung: true)
        #expect(queue.begin() == [])
        #expect(!queue.hasSlot(for: "a"), "it waits for the slot of the slow keys")
        #expect(queue.hasSlot(for: "c") && queue.hasSlot(for: "d"))
        queue.add("c1", for: "c")
        queue.add("d1", for: "d")
        #expect(queue.begin() == ["c1", "d1"])
        #expect(!queue.hasSlot(for: "e"), "all slots are in use")
    }

    /// Slow keys share two slots. A key whose last item did not hang is no longer slow.
    @Test func slowKeysDoNotUseAllSlots() {
        var queue = queue(maximum: 4, ofSlowKeys: 2, "a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2")
        #expect(queue.begin() == ["a1", "b1", "c1", "d1"])
        for key in ["a", "b", "c"] { queue.ended(key, hung: true) }
        #expect(queue.begin() == ["d2", "a2", "b2"])
        for item in ["e1", "f1"] { queue.add(item, for: String(item.prefix(1))) }
        queue.ended("d", hung: false)
        #expect(queue.begin() == ["e1"])
        queue.ended("a", hung: false)
        #expect(queue.begin() == ["f1"])
        queue.ended("b", hung: true)
        // A slot is free, and one item of a slow key fewer is running.
        #expect(queue.begin() == ["c2"])
        queue.add("a3", for: "a")
        queue.ended("e", hung: nil)
        #expect(queue.begin() == ["a3"])
    }

    /// When a key becomes slow, its other running items count as slow, too.
    @Test func runningItemsOfSlowKeyCount() {
        var queue = queue(maximum: 4, ofSlowKeys: 2, "a1", "a2", "a3", "a4", "a5", "b1")
        #expect(queue.begin() == ["a1", "b1", "a2", "a3"])
        queue.ended("a", hung: true)
        #expect(queue.begin() == [])
        queue.ended("a", hung: false)
        #expect(queue.begin() == ["a4", "a5"])
    }

    /// New keys may take all slots. When their items hang, other keys get slots up to the hard limit.
    @Test func hangingItemsGiveSlotsToOthers() {
        var queue = queue(maximum: 4, hard: 6, ofSlowKeys: 2, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1")
        #expect(queue.begin() == ["a1", "b1", "c1", "d1"])
        for key in ["a", "b"] { queue.hangs(key) }
        #expect(queue.begin() == [])
        queue.hangs("c")
        #expect(queue.begin() == ["e1"])
        queue.hangs("d")
        #expect(queue.begin() == ["f1"])
        queue.hangs("e")
        #expect(queue.begin() == [], "the hard limit")
        queue.add("a2", for: "a")
        queue.ended("a", hung: true, wasHanging: true)
        #expect(queue.begin() == ["g1"])
        for key in ["b", "c", "d", "e"] { queue.ended(key, hung: true, wasHanging: true) }
        #expect(queue.queue.running == 2)
        #expect(queue.begin() == ["h1", "a2"])
    }

    @Test func limitHoldsWithoutHardLimit() {
        var queue = queue(maximum: 2, ofSlowKeys: 1, "a1", "b1", "c1")
        #expect(queue.begin() == ["a1", "b1"])
        for key in ["a", "b"] { queue.hangs(key) }
        #expect(queue.begin() == [])
        queue.ended("b", hung: true, wasHanging: true)
        #expect(queue.begin() == ["c1"])
    }

    /// The end of an item does not make its key fast while another item of the key hangs.
    @Test func keyIsSlowWhileAnItemHangs() {
        var queue = queue(maximum: 4, ofSlowKeys: 1, "a1", "a2", "a3", "a4", "a5")
        #expect(queue.begin() == ["a1", "a2", "a3", "a4"])
        queue.hangs("a")
        queue.ended("a", hung: false)
        queue.ended("a", hung: false)
        #expect(queue.begin() == [])
        queue.add("b1", for: "b")
        #expect(queue.begin() == ["b1"])
        queue.ended("a", hung: false, wasHanging: true)
        #expect(queue.begin() == ["a5"])
    }

    /// An item that waits for a slot of the slow keys gets an ordinary one as soon as its key is not slow.
    @Test func recoveredKeyLeavesSlowQueue() {
        var queue = queue(maximum: 4, ofSlowKeys: 1, "a1", "b1", "b2")
        #expect(queue.begin() == ["a1", "b1", "b2"])
        queue.ended("a", hung: true)
        queue.add("a2", for: "a")
        #expect(queue.begin() == ["a2"])
        queue.ended("b", hung: true)
        queue.add("b3", for: "b")
        #expect(queue.begin() == [])
        queue.ended("b", hung: false)
        #expect(queue.begin() == ["b3"])
    }

    /// Keys that were prompt go first, and one of the others after sixteen items of them.
    @Test func promptKeysArePreferred() {
        var queue = FairQueue<String, String>(limit: 1, limitPerKey: 1, limitOfSlowKeys: 1, prefersPromptKeys: true)
        func runNext(hung: Bool = false) -> String? {
            guard let (item, slot) = queue.next() else { return nil }
            queue.ended(slot, hung: hung)
            return item
        }
        queue.add("a1", for: "a")
        #expect(!queue.isPrompt("a") && runNext() == "a1" && queue.isPrompt("a"))
        for item in ["b1", "c1", "d1"] { queue.add(item, for: String(item.prefix(1))) }
        for number in 2...40 { queue.add("a\(number)", for: "a") }
        let begun = (0..<42).compactMap { _ in runNext() }
        let a = (2...40).map { "a\($0)" }
        let expected: [[String]] = [Array(a[0..<16]), ["b1"], Array(a[16..<32]), ["c1"], Array(a[32...]), ["d1"]]
        #expect(begun == expected.flatMap(\.self))
        queue.add("a41", for: "a")
        #expect(runNext(hung: true) == "a41" && !queue.isPrompt("a"))
        queue.add("a42", for: "a")
        queue.add("e1", for: "e")
        #expect(runNext() == "e1" && runNext() == "a42")
    }

    /// A queue does not prefer keys unless it is asked to.
    @Test func keysAreEqualByDefault() {
        var queue = queue(maximum: 1, "a1")
        #expect(queue.begin() == ["a1"])
        queue.ended("a", hung: false)
        for item in ["b1", "a2"] { queue.add(item, for: String(item.prefix(1))) }
        #expect(queue.begin() == ["b1"] && !queue.queue.isPrompt("a"))
    }

    /// One of the items that hang yields to another key while slow keys have more than their part of the slots.
    @Test func hangingItemBlocksOtherKeys() throws {
        var queue = FairQueue<String, String>(limit: 2, limitPerKey: 1, limitOfSlowKeys: 1)
        for item in ["a1", "b1", "a2"] { queue.add(item, for: String(item.prefix(1))) }
        let (first, second) = (queue.next(), queue.next())
        let (a, b) = (try #require(first).slot, try #require(second).slot)
        let hang = [queue.hangs(a), queue.hangs(b)]
        #expect(hang == [true, true])
        let yieldsToSlow = queue.yields(b) { _ in true }
        #expect(!yieldsToSlow, "only a slow key waits")
        queue.add("c1", for: "c")
        let yieldsToNone = queue.yields(b) { $0 != "c1" }
        #expect(!yieldsToNone, "nothing waits for its item any more")
        let yield = [queue.yields(b) { $0 == "c1" }, queue.yields(a) { _ in true }, queue.yields(b) { _ in true }]
        #expect(yield == [true, false, false], "one yields, once")
        queue.ended(b, hung: true)
        let yieldAfterEnd = [queue.yields(a) { _ in true }, queue.yields(b) { _ in true }]
        #expect(yieldAfterEnd == [false, false])
        let (third, none) = (queue.next(), queue.next())
        #expect(third?.item == "c1" && none == nil)
    }

    /// Items that have yielded begin again when the slow keys have a free slot, before all others, in their order.
    @Test func itemsThatYieldedAreNext() {
        var queue = queue(maximum: 2, ofKey: 1, ofSlowKeys: 1, "s1")
        #expect(queue.begin() == ["s1"])
        queue.ended("s", hung: true)
        for item in ["a1", "b1", "c1", "d1", "b2", "e1", "s2"] { queue.add(item, for: String(item.prefix(1))) }
        #expect(queue.begin() == ["a1", "b1"])
        for key in ["a", "b"] { queue.hangs(key) }
        queue.yieldsAndIsRequeued("b1")
        #expect(queue.begin() == ["c1"])
        queue.hangs("c")
        queue.yieldsAndIsRequeued("c1")
        #expect(queue.begin() == ["d1"])
        queue.ended("a", hung: true, wasHanging: true)
        #expect(queue.begin() == ["b1"])
        queue.ended("b", hung: true)
        #expect(queue.begin() == ["c1"])
        queue.ended("c", hung: true)
        #expect(queue.begin() == ["e1"], "keys that are not slow go before the others")
        queue.ended("e", hung: false)
        #expect(queue.begin() == ["s2"])
        queue.ended("s", hung: true)
        #expect(queue.begin() == ["b2"] && queue.queue.running == 2)
    }

    /// An item that has yielded gets an ordinary slot as soon as its key is not slow.
    @Test func itemOfRecoveredKeyThatYieldedBegins() {
        var queue = queue(maximum: 3, ofSlowKeys: 1, "a1", "b1", "a2")
        #expect(queue.begin() == ["a1", "b1", "a2"])
        for key in ["a", "b"] { queue.hangs(key) }
        queue.add("c1", for: "c")
        queue.yieldsAndIsRequeued("a1")
        #expect(queue.begin() == ["c1"])
        queue.ended("a", hung: false)
        #expect(queue.begin() == ["a1"])
    }

    /// The limit on remembered slow keys does not drop the keys in use.
    @Test func slowKeysInUseAreRemembered() {
        var queue = FairQueue<Int, Int>(limit: 4, limitPerKey: 4, limitOfSlowKeys: 1)
        for key in 0..<10_010 {
            queue.add(key, for: key)
            guard let (item, slot) = queue.next() else {
                Issue.record("no item may begin")
                return
            }
            #expect(item == key)
            queue.ended(slot, hung: true)
        }
        for key in 10_005..<10_010 { queue.add(key, for: key) }
        #expect(queue.next()?.item == 10_005)
        #expect(queue.next()?.item == nil)
    }
}
