import Synchronization

/// Lets one call in at a time, and nobody wait.
///
/// What comes while someone is inside, from another thread or from the very call that is inside, is left at the gate, and
/// whoever is inside sees to it before leaving. So the state of an operator with several sources is touched by one
/// thread at a time, its downstream hears one event after the other, no lock is held while user code runs, and a chain
/// of synchronous sources becomes a loop.
///
///     if gate.enter() {
///         take(element)
///         gate.leave()
///     } else {
///         gate.post { self.take(element) }
///     }
package struct Gate: ~Copyable, Sendable {
    /// How many calls are inside or left at the gate.
    private let calls = Atomic(0)
    private let left = AtomicLazyReference<Left>()

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
        calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Leaves, after seeing to what was left meanwhile.
    @inline(__always)
    package func leave() {
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
        let left = left.load() ?? left.storeIfNil(Left())
        // Both at once: work that waited uncounted could be overtaken by what its caller brings next.
        let before = left.lock.locked {
            left.works.append(work)
            return calls.add(1, ordering: .acquiringAndReleasing).oldValue
        }
        if before == 0 { workOff() }
    }

    private func workOff() {
        repeat {
            left.load()?.next()?()
        } while calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
