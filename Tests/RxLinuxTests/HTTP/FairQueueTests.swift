import Testing

@testable import RxLinux

struct FairQueueTests {
    /// Takes all items that may begin.
    private func begin(_ queue: inout FairQueue<String, String>) -> [String] {
        var begun: [String] = []
        while let item = queue.next() { begun.append(item) }
        return begun
    }

    private func queue(
        maximum: Int, hard: Int? = nil, ofKey: Int = 9, ofSlowKeys: Int = 9, _ items: String...
    ) -> FairQueue<String, String> {
        var queue = FairQueue<String, String>(
            limit: maximum, hardLimit: hard, limitPerKey: ofKey, limitOfSlowKeys: ofSlowKeys)
        for item in items { queue.add(item, for: String(item.prefix(1))) }
        return queue
    }

    @Test func keysAreServedRoundRobin() {
        var queue = queue(maximum: 3, "a1", "a2", "a3", "b1", "c1")
        #expect(begin(&queue) == ["a1", "b1", "c1"])
        queue.ended("a", hung: false)
        queue.ended("b", hung: nil)
        #expect(begin(&queue) == ["a2", "a3"])
        queue.add("b2", for: "b")
        #expect(begin(&queue) == [])
        for key in ["a", "a", "c"] { queue.ended(key, hung: false) }
        #expect(begin(&queue) == ["b2"])
        // An end without a begin has no effect.
        queue.ended("z", hung: true)
        queue.ended("a", hung: true)
        for number in 1...4 { queue.add("d\(number)", for: "d") }
        #expect(begin(&queue) == ["d1", "d2"])
    }

    @Test func keyHasLimitOfItsOwn() {
        var queue = queue(maximum: 10, ofKey: 2, "a1", "a2", "a3", "a4", "b1")
        #expect(begin(&queue) == ["a1", "b1", "a2"])
        queue.ended("a", hung: false)
        #expect(begin(&queue) == ["a3"])
    }

    /// Slow keys share two slots. A key whose last item did not hang is no longer slow.
    @Test func slowKeysLeaveSlotsToOthers() {
        var queue = queue(maximum: 4, ofSlowKeys: 2, "a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2")
        #expect(begin(&queue) == ["a1", "b1", "c1", "d1"])
        for key in ["a", "b", "c"] { queue.ended(key, hung: true) }
        #expect(begin(&queue) == ["d2", "a2", "b2"])
        for item in ["e1", "f1"] { queue.add(item, for: String(item.prefix(1))) }
        queue.ended("d", hung: false)
        #expect(begin(&queue) == ["e1"])
        queue.ended("a", hung: false)
        #expect(begin(&queue) == ["f1"])
        queue.ended("b", hung: true)
        // A slot is free, and one item of a slow key fewer is running.
        #expect(begin(&queue) == ["c2"])
        queue.add("a3", for: "a")
        queue.ended("e", hung: nil)
        #expect(begin(&queue) == ["a3"])
    }

    /// When a key becomes slow, its other running items count as slow, too.
    @Test func runningItemsOfSlowKeyCount() {
        var queue = queue(maximum: 4, ofSlowKeys: 2, "a1", "a2", "a3", "a4", "a5", "b1")
        #expect(begin(&queue) == ["a1", "b1", "a2", "a3"])
        queue.ended("a", hung: true)
        #expect(begin(&queue) == [])
        queue.ended("a", hung: false)
        #expect(begin(&queue) == ["a4", "a5"])
    }

    /// New keys may take all slots. When their items hang, other keys get slots up to the hard limit.
    @Test func hangingItemsGiveSlotsToOthers() {
        var queue = queue(maximum: 4, hard: 6, ofSlowKeys: 2, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1")
        #expect(begin(&queue) == ["a1", "b1", "c1", "d1"])
        for key in ["a", "b"] { queue.hangs(key) }
        #expect(begin(&queue) == [])
        queue.hangs("c")
        #expect(begin(&queue) == ["e1"])
        queue.hangs("d")
        #expect(begin(&queue) == ["f1"])
        queue.hangs("e")
        #expect(begin(&queue) == [], "the hard limit")
        queue.add("a2", for: "a")
        queue.ended("a", hung: true, wasHanging: true)
        #expect(begin(&queue) == ["g1"])
        for key in ["b", "c", "d", "e"] { queue.ended(key, hung: true, wasHanging: true) }
        #expect(queue.running == 2)
        #expect(begin(&queue) == ["h1", "a2"])
    }

    @Test func limitHoldsWithoutHardLimit() {
        var queue = queue(maximum: 2, ofSlowKeys: 1, "a1", "b1", "c1")
        #expect(begin(&queue) == ["a1", "b1"])
        for key in ["a", "b", "b", "z"] { queue.hangs(key) }
        #expect(begin(&queue) == [])
        queue.ended("b", hung: true, wasHanging: true)
        #expect(begin(&queue) == ["c1"])
    }

    /// The end of an item does not make its key fast while another item of the key hangs.
    @Test func keyIsSlowWhileAnItemHangs() {
        var queue = queue(maximum: 4, ofSlowKeys: 1, "a1", "a2", "a3", "a4", "a5")
        #expect(begin(&queue) == ["a1", "a2", "a3", "a4"])
        queue.hangs("a")
        queue.ended("a", hung: false)
        queue.ended("a", hung: false)
        #expect(begin(&queue) == [])
        queue.add("b1", for: "b")
        #expect(begin(&queue) == ["b1"])
        queue.ended("a", hung: false, wasHanging: true)
        #expect(begin(&queue) == ["a5"])
    }

    /// An item that waits for a slot of the slow keys gets an ordinary one as soon as its key is not slow.
    @Test func recoveredKeyLeavesSlowQueue() {
        var queue = queue(maximum: 4, ofSlowKeys: 1, "a1", "b1", "b2")
        #expect(begin(&queue) == ["a1", "b1", "b2"])
        queue.ended("a", hung: true)
        queue.add("a2", for: "a")
        #expect(begin(&queue) == ["a2"])
        queue.ended("b", hung: true)
        queue.add("b3", for: "b")
        #expect(begin(&queue) == [])
        queue.ended("b", hung: false)
        #expect(begin(&queue) == ["b3"])
    }

    /// The limit on remembered slow keys does not drop the keys in use.
    @Test func slowKeysInUseAreRemembered() {
        var queue = FairQueue<Int, Int>(limit: 4, limitPerKey: 4, limitOfSlowKeys: 1)
        for key in 0..<10_010 {
            queue.add(key, for: key)
            #expect(queue.next() == key)
            queue.ended(key, hung: true)
        }
        for key in 10_005..<10_010 { queue.add(key, for: key) }
        #expect(queue.next() == 10_005)
        #expect(queue.next() == nil)
    }
}
