import Glibc
import Synchronization

/// Lets one call in at a time, and nobody wait.
///
/// What comes while someone is inside, from another thread or from the very call that is inside, is left at the gate,
/// and whoever is inside sees to it before leaving. So the state of an operator with several sources is touched by one
/// thread at a time, its downstream hears one event after the other, no lock is held while user code runs, and a chain
/// of synchronous sources becomes a loop.
///
/// A gate that one thread passes again and again is left to that thread, the ``Regular``, which then passes it without
/// an exchange. The first call that finds someone inside, or comes on another thread, ends that for good.
///
///     if gate.enter() {
///         take(element)
///         gate.leave()
///     } else {
///         gate.post { self.take(element) }
///     }
package struct Gate: ~Copyable, Sendable {
    /// How many calls are inside or left at the gate, and ``isLeftToRegular`` on top where it is the regular's, which
    /// is not counted while inside.
    private let calls = Atomic(0)
    private let left = SetOnce<Left>()

    private let regular = Regular()
    /// How often it was passed while it was nobody's. For whoever is inside.
    private let passed = Atomic<UInt32>(0)
    /// For dismissing the regular.
    private let lock = Lock()
    /// Whether the regular was inside when it was dismissed, and is counted since. Behind the lock.
    private let wasInside = Atomic(false)

    private static let isLeftToRegular = 1 << 62

    package init() {}

    // Unchecked: `posted` and the flags change under the lock; `taken` belongs to the thread that is inside, and passes
    // to the next one with the gate.
    /// The posted works, oldest first, and who runs them.
    private final class Left: @unchecked Sendable {
        let lock = Lock()
        private var posted: [(() -> Void)?] = []
        /// The works before those in `posted`, taken all at once so that threads that post rarely find the lock taken.
        private var taken: [(() -> Void)?] = []
        /// How many of `taken` have been run.
        private var head = 0
        /// The thread that took works last, and whether another one has posted since a handover was last offered.
        private var drainer: UInt = 0
        private var hasOtherPosters = false
        /// Whether works wait, no thread is inside, and the next one that posts is to run them. Changed under the lock.
        private let isVacant = Atomic(false)

        /// Called under the lock.
        ///
        /// - Returns: whether the caller has taken over from a thread that offered to hand over, and now is inside.
        func append(_ work: @escaping () -> Void) -> Bool {
            posted.append(work)
            if drainer != Regular.caller { hasOtherPosters = true }
            guard isVacant.load(ordering: .relaxed) else { return false }
            isVacant.store(false, ordering: .releasing)
            return true
        }

        /// Called by the thread that is inside.
        func next(for caller: UInt) -> (() -> Void)? {
            if head == taken.count {
                taken.removeAll(keepingCapacity: taken.capacity <= 64)
                head = 0
                lock.locked {
                    drainer = caller
                    swap(&posted, &taken)
                }
                if taken.isEmpty { return nil }
            }
            defer { head += 1 }
            return taken[head].take()
        }

        /// Offers to hand over, if another thread has posted: leaves the gate vacant for a while, so that a thread that
        /// posts takes over. The calling thread waits in no other way, holds no lock and goes on if nobody comes.
        ///
        /// - Returns: whether another thread has taken over. Otherwise the caller still is inside.
        func handOver(within nanoseconds: UInt64) -> Bool {
            let isOffered = lock.locked {
                defer { hasOtherPosters = false }
                if hasOtherPosters { isVacant.store(true, ordering: .releasing) }
                return hasOtherPosters
            }
            guard isOffered else { return false }
            let end = TimerQueue.now + nanoseconds
            while isVacant.load(ordering: .relaxed), TimerQueue.now < end {
                if nanoseconds > Self.mostSpinning { sched_yield() }
            }
            return lock.locked { !isVacant.exchange(false, ordering: .acquiringAndReleasing) }
        }

        private static let mostSpinning: UInt64 = 10_000
    }

    /// - Returns: whether the caller is inside now; it then has to ``leave()``.
    @inline(__always)
    package func enter() -> Bool {
        let caller = Regular.caller
        if regular.is(caller) {
            return !regular.isIn && (regular.comeIn(1, caller) || enterDismissed())
        }
        return calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged || enterRegulars()
    }

    /// Leaves, after seeing to what was left meanwhile.
    @inline(__always)
    package func leave() {
        // As long as there is a regular, nobody else gets in.
        guard let isAll = regular.leave() else { return leaveCounted() }
        if !isAll { leaveDismissed() }
    }

    @inline(never)
    private func leaveCounted() {
        // Whoever dismisses this very thread is about to count it.
        if calls.load(ordering: .relaxed) >= Self.isLeftToRegular { lock.locked {} }
        let passed = passed.load(ordering: .relaxed)
        if passed < Regular.habit {
            self.passed.store(passed + 1, ordering: .relaxed)
        } else if passed == Regular.habit, becomeRegulars() {
            return
        }
        if calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0 { workOff() }
    }

    /// Leaves the gate to the calling thread, which is inside and, with that, no longer is.
    ///
    /// - Returns: `false` where something was left, or a gate cannot have a regular.
    private func becomeRegulars() -> Bool {
        passed.store(Regular.habit + 1, ordering: .relaxed)
        guard regular.become(Regular.caller) else { return false }
        // Nobody looks at who it is before this.
        if calls.compareExchange(expected: 1, desired: Self.isLeftToRegular, ordering: .acquiringAndReleasing).exchanged
        {
            return true
        }
        regular.resign()
        return false
    }

    /// Ends that the gate is the regular's. From then on that is counted like everybody else.
    ///
    /// - Returns: whether the caller has to ``workOff()`` what those left who found it the regular's.
    private func dismissRegular() -> Bool {
        lock.locked {
            guard calls.load(ordering: .acquiring) >= Self.isLeftToRegular else { return false }
            let isInside = regular.dismiss() != 0
            wasInside.store(isInside, ordering: .relaxed)
            let others = Self.isLeftToRegular - (isInside ? 1 : 0)
            return calls.subtract(others, ordering: .acquiringAndReleasing).newValue > 0 && !isInside
        }
    }

    /// The gate may be the regular's, which is another thread.
    @inline(never)
    private func enterRegulars() -> Bool {
        guard calls.load(ordering: .relaxed) >= Self.isLeftToRegular else { return false }
        if dismissRegular() { workOff() }
        return calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// The regular was dismissed as it came in.
    @inline(never)
    private func enterDismissed() -> Bool {
        lock.locked { wasInside.load(ordering: .relaxed) }
            || calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// The regular was dismissed as it left.
    @inline(never)
    private func leaveDismissed() {
        guard lock.locked({ wasInside.load(ordering: .relaxed) }) else { return }
        if calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0 { workOff() }
    }

    /// Does `work` inside: now, or when whoever is inside sees to it. What an element causes spells it out, so that no
    /// closure is made for those that find nobody inside.
    package func pass(_ work: @escaping () -> Void) {
        guard enter() else { return post(work) }
        work()
        leave()
    }

    /// Posts `work` for the thread that is inside. The caller runs it, with all that waits before it, if no thread is
    /// inside any more or if that one hands over.
    @inline(never)
    package func post(_ work: @escaping () -> Void) {
        let left = left.object ?? makeLeft()
        // Both at once: work that waited uncounted could be overtaken by what its caller brings next.
        let (before, hasTakenOver) = left.lock.locked {
            let hasTakenOver = left.append(work)
            return (calls.add(1, ordering: .acquiringAndReleasing).oldValue, hasTakenOver)
        }
        if hasTakenOver || before == 0 || before >= Self.isLeftToRegular && dismissRegular() { workOff() }
    }

    private func makeLeft() -> Left {
        let new = Left()
        return left.set(new) ? new : left.object ?? new
    }

    /// How many works a call runs before it offers to hand over.
    static let quota: UInt32 = 256
    /// For how many nanoseconds a call runs works before it offers to hand over.
    private static let longestTurn: UInt64 = 1_000_000

    /// Runs the works that wait, of which there is at least one, until none is left or another thread has taken over.
    ///
    /// Without a handover, other threads that keep posting would keep the caller here for as long as they do. So after
    /// ``quota`` works, or a millisecond, it offers to hand over, for a sixteenth of the time that it has run works:
    /// other threads that post often enough to keep it busy are likely to post in that time. It cannot simply leave: if
    /// no thread posted any more, the works that wait would never run. Nor can it make a thread that posts wait for the
    /// end of the work that is running: that thread may hold a lock that the work needs.
    ///
    /// So what one call runs for others is not strictly bounded. It runs all that wait if no other thread posts
    /// meanwhile, and it offers again after each further quota if none posts while it offers. Nor is the number of
    /// works that wait bounded: a thread that posts is never blocked, for the same reason, and no work is dropped.
    ///
    /// `calls` counts the works that wait, and the one that is running. While the gate is vacant it is not zero, so
    /// that ``enter()`` lets nobody in. Every other step is under the lock of `left`, so that exactly one of two things
    /// happens:
    ///
    /// | drainer                  | thread that posts               | inside                                             |
    /// |--------------------------|---------------------------------|----------------------------------------------------|
    /// | has run its quota        |                                 | drainer                                            |
    /// | `isVacant` = true        |                                 | nobody; works wait                                 |
    /// |                          | appends; `isVacant` = false     | the thread that posted, which runs the oldest work |
    /// | finds false and returns  |                                 | the same                                           |
    ///
    /// | drainer                  | thread that posts               | inside                                             |
    /// |--------------------------|---------------------------------|----------------------------------------------------|
    /// | `isVacant` = true        |                                 | nobody; works wait                                 |
    /// | finds true, sets false   |                                 | drainer, which goes on                             |
    /// |                          | appends                         | drainer                                            |
    ///
    /// The works stay in one queue, so their order does not depend on who runs them.
    private func workOff() {
        guard let left = left.object else { return }
        let caller = Regular.caller
        var count: UInt32 = 0
        var start: UInt64 = 0
        while true {
            left.next(for: caller)?()
            if calls.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { return }
            count += 1
            // Looks at the clock after the works that are numbered by a power of two.
            guard count & (count - 1) == 0 else { continue }
            let now = TimerQueue.now
            if count == 1 { start = now }
            guard count >= Self.quota || now - start >= Self.longestTurn else { continue }
            if left.handOver(within: (now - start) / 16) { return }
            count = 0
        }
    }
}
