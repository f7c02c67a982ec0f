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

    // Unchecked: touched under its lock only.
    /// What has been left, oldest first.
    private final class Left: @unchecked Sendable {
        let lock = Lock()
        var works: [(() -> Void)?] = []
        var head = 0

        func next() -> (() -> Void)? {
            lock.locked {
                guard head < works.count else { return nil }
                let work = works[head].take()
                head += 1
                if head == works.count {
                    works.removeAll(keepingCapacity: works.capacity <= 64)
                    head = 0
                } else if head >= 64, head * 2 >= works.count {
                    works.removeFirst(head)
                    head = 0
                }
                return work
            }
        }
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

    /// Leaves `work` to whoever is inside, or does it here where nobody is any more.
    @inline(never)
    package func post(_ work: @escaping () -> Void) {
        let left = left.object ?? makeLeft()
        // Both at once: work that waited uncounted could be overtaken by what its caller brings next.
        let before = left.lock.locked {
            left.works.append(work)
            return calls.add(1, ordering: .acquiringAndReleasing).oldValue
        }
        if before == 0 || before >= Self.isLeftToRegular && dismissRegular() { workOff() }
    }

    private func makeLeft() -> Left {
        let new = Left()
        return left.set(new) ? new : left.object ?? new
    }

    private func workOff() {
        repeat {
            left.object?.next()?()
        } while calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
