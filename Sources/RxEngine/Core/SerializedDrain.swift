import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A queue-drain serializer: delivers one event at a time, and blocks no thread.
///
/// A call that finds another one inside, on another thread or further up its own stack, posts its work instead. The
/// thread that is inside runs posted work before it leaves. So one thread at a time touches the state of an operator
/// with several sources, its downstream receives one event after the other, no lock is held while user code runs, and
/// a chain of synchronous sources becomes a loop.
///
/// A drain that one thread enters again and again becomes biased to that thread (`BiasedOwner`), which then enters
/// and leaves without an atomic exchange. The first call on another thread, and the first post, revoke the bias
/// permanently.
///
///     if drain.enter() {
///         take(element)
///         drain.leave()
///     } else {
///         drain.post { self.take(element) }
///     }
public struct SerializedDrain: ~Copyable, Sendable {
    /// The number of calls inside and of posted closures, plus ``biasFlag`` while the drain is biased. While it is, the
    /// owner is not counted when inside.
    ///
    /// Not a ``WorkCount``: ``enter()`` must fail without being counted, as the closure that the caller posts then is
    /// counted in the step that queues it; and the biased owner enters and leaves without an atomic operation.
    private let calls = Atomic(0)
    /// The posted work. The first post makes it.
    private let queue = SetOnce<WorkQueue>()

    private let owner = BiasedOwner()
    /// How many calls have left, up to the one that makes the drain biased. Only the thread that is inside writes it.
    private let exitCount = Atomic<UInt32>(0)
    /// Guards the revocation of the bias.
    private let lock = Lock()
    /// Whether the owner was inside when it was revoked, so that ``calls`` has counted it since. Guarded by `lock`.
    private let ownerWasInside = Atomic(false)

    /// A bit of ``calls`` that is set while the drain is biased.
    private static let biasFlag = 1 << 62

    /// Creates a drain that no call has entered.
    public init() {}

    // Unchecked: the lock guards `posted`, `drainer` and the flags; only the thread that is inside touches `batch`.
    /// The posted closures, oldest first, and the handover from one thread that runs them to the next.
    private final class WorkQueue: @unchecked Sendable {
        let lock = Lock()
        @exclusivity(unchecked) private var posted = RingBuffer<Work>()
        /// The closures before those in `posted`. They are taken all at once, so that a thread that posts rarely finds
        /// the lock held.
        @exclusivity(unchecked) private var batch = RingBuffer<Work>()
        /// The thread that took a batch last, and whether another one has posted since the last offer to hand over.
        private var drainer: UInt = 0
        private var hasOtherPosters = false
        /// Whether closures are queued, no thread is inside, and the next thread that posts takes over. Changed under
        /// the lock.
        private let isVacant = Atomic(false)

        /// A closure. In a generic type it would have to be wrapped in another one.
        private struct Work {
            let run: () -> Void
        }

        /// Queues a closure. Called under the lock.
        ///
        /// - Returns: whether the caller has taken over from a thread that offered to hand over, and is inside now.
        func append(_ work: @escaping () -> Void) -> Bool {
            posted.append(Work(run: work))
            if drainer != CurrentThread.number { hasOtherPosters = true }
            guard isVacant.load(ordering: .relaxed) else { return false }
            isVacant.store(false, ordering: .releasing)
            return true
        }

        /// Removes and returns the oldest closure. Called by the thread that is inside.
        func next(for caller: UInt) -> (() -> Void)? {
            if batch.isEmpty {
                if batch.capacity > 64 { batch = RingBuffer() }
                lock.locked {
                    drainer = caller
                    swap(&posted, &batch)
                }
                if batch.isEmpty { return nil }
            }
            return batch.removeFirst().run
        }

        /// Offers to hand over if another thread has posted: marks the drain as vacant for at most `nanoseconds`, so
        /// that the next thread that posts takes over. The calling thread spins meanwhile, holds no lock, and stays
        /// inside if no thread posts.
        ///
        /// - Returns: whether another thread has taken over. Otherwise the caller is still inside.
        func handOver(within nanoseconds: UInt64) -> Bool {
            let isOffered = lock.locked {
                defer { hasOtherPosters = false }
                if hasOtherPosters { isVacant.store(true, ordering: .releasing) }
                return hasOtherPosters
            }
            guard isOffered else { return false }
            let end = TimerQueue.now + nanoseconds
            while isVacant.load(ordering: .relaxed), TimerQueue.now < end {
                if nanoseconds > Self.maxSpinTime { sched_yield() }
            }
            return lock.locked { !isVacant.exchange(false, ordering: .acquiringAndReleasing) }
        }

        /// For how many nanoseconds a thread spins without yielding the processor.
        private static let maxSpinTime: UInt64 = 10_000
    }

    /// Enters unless another call is inside.
    ///
    /// - Returns: whether the caller is inside now. It must then call ``leave()``.
    @inline(__always)
    public func enter() -> Bool {
        let caller = CurrentThread.number
        if owner.isOwner(caller) {
            return !owner.isInside && (owner.enter(using: 1, as: caller) || enterRevoked())
        }
        return calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged || enterBiased()
    }

    /// Runs the closures that were posted meanwhile, and leaves.
    @inline(__always)
    public func leave() {
        // While the drain is biased only the owner can be inside, so the caller is the owner.
        guard let hasLeft = owner.leaveIfBiased() else { return leaveCounted() }
        if !hasLeft { leaveRevoked() }
    }

    /// Leaves a drain that is not biased.
    @inline(never)
    private func leaveCounted() {
        // Another thread has just revoked this one and is about to count it in `calls`: wait for that.
        if calls.load(ordering: .relaxed) >= Self.biasFlag { lock.locked {} }
        let exitCount = exitCount.load(ordering: .relaxed)
        if exitCount < BiasedOwner.threshold {
            self.exitCount.store(exitCount + 1, ordering: .relaxed)
        } else if exitCount == BiasedOwner.threshold, bias() {
            return
        }
        if calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0 { runPosted() }
    }

    /// Makes the drain biased to the calling thread, which is inside, and leaves.
    ///
    /// - Returns: `false` if work was posted or the process barrier is not available. The caller is still inside then.
    private func bias() -> Bool {
        exitCount.store(BiasedOwner.threshold + 1, ordering: .relaxed)
        guard owner.claim(CurrentThread.number) else { return false }
        // No other thread acts on the owner before `calls` has the flag.
        if calls.compareExchange(expected: 1, desired: Self.biasFlag, ordering: .acquiringAndReleasing).exchanged {
            return true
        }
        owner.cancelClaim()
        return false
    }

    /// Revokes the bias: from now on `calls` counts the owner like every other thread.
    ///
    /// - Returns: whether the caller must call ``runPosted()``, because work was posted to the biased drain and the
    ///   owner is not inside to run it.
    private func revokeBias() -> Bool {
        lock.locked {
            guard calls.load(ordering: .acquiring) >= Self.biasFlag else { return false }
            let isInside = owner.revoke() != 0
            ownerWasInside.store(isInside, ordering: .relaxed)
            let others = Self.biasFlag - (isInside ? 1 : 0)
            return calls.subtract(others, ordering: .acquiringAndReleasing).newValue > 0 && !isInside
        }
    }

    /// Enters after the first attempt has failed: another call is inside, or the drain is biased to another thread.
    @inline(never)
    private func enterBiased() -> Bool {
        guard calls.load(ordering: .relaxed) >= Self.biasFlag else { return false }
        if revokeBias() { runPosted() }
        return calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Enters on the owner's thread, which has found itself revoked while it entered. If the revoking thread saw it
    /// inside, it is counted already.
    @inline(never)
    private func enterRevoked() -> Bool {
        lock.locked { ownerWasInside.load(ordering: .relaxed) }
            || calls.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Leaves on the owner's thread, which has found itself revoked while it left. If the revoking thread saw it
    /// inside, it is counted.
    @inline(never)
    private func leaveRevoked() {
        guard lock.locked({ ownerWasInside.load(ordering: .relaxed) }) else { return }
        if calls.subtract(1, ordering: .acquiringAndReleasing).newValue != 0 { runPosted() }
    }

    /// Runs `work` inside: at once, or before the thread that is inside leaves.
    ///
    /// Code that runs for each element calls ``enter()``, ``leave()`` and ``post(_:)`` itself, so that it makes no closure in
    /// the usual case.
    public func run(_ work: @escaping () -> Void) {
        guard enter() else { return post(work) }
        work()
        leave()
    }

    /// Posts `work` to the thread that is inside.
    ///
    /// If no thread is inside any more, or the one inside is handing over, the caller runs `work` and everything queued
    /// before it.
    @inline(never)
    public func post(_ work: @escaping () -> Void) {
        if ElementInFlight.isUsed { return enqueue(ElementInFlight.retain(until: work)) }
        enqueue(work)
    }

    @inline(__always)
    private func enqueue(_ work: @escaping () -> Void) {
        let queue = queue.object ?? makeQueue()
        // Queues and counts in one step: a later call could overtake work that is queued but not counted yet.
        let (before, hasTakenOver) = queue.lock.locked {
            let hasTakenOver = queue.append(work)
            return (calls.add(1, ordering: .acquiringAndReleasing).oldValue, hasTakenOver)
        }
        if hasTakenOver || before == 0 || before >= Self.biasFlag && revokeBias() { runPosted() }
    }

    private func makeQueue() -> WorkQueue {
        let new = WorkQueue()
        return queue.set(new) ? new : queue.object ?? new
    }

    /// Runs the posted closures, of which there is at least one, until none is queued or another thread has taken over.
    ///
    /// Without a handover, other threads that keep posting would keep the caller here for as long as they do. So after
    /// each batch (``BatchLimit``), it offers to hand over, for a sixteenth of the time that it has run them:
    /// other threads that post often enough to keep it busy are likely to post in that time. It cannot simply leave: if
    /// no thread posted any more, the queued closures would never run. Nor can it block a thread that posts until the
    /// running closure returns: that thread may hold a lock that the closure needs.
    ///
    /// So what one call runs for others is not strictly bounded. It runs everything queued if no other thread posts
    /// meanwhile, and it offers again after each further batch if none posts while it offers. Nor is the length of the
    /// queue bounded: a thread that posts is never blocked, for the same reason, and no closure is dropped.
    ///
    /// `calls` counts the queued closures and the running one. While the drain is vacant it is not zero, so ``enter()``
    /// fails. Every step in these tables but the first is under the lock of the queue, so one of the two happens:
    ///
    /// | drainer                 | thread that posts           | inside                                 |
    /// |-------------------------|-----------------------------|----------------------------------------|
    /// | has run a batch         |                             | drainer                                |
    /// | `isVacant` = true       |                             | no thread; closures are queued         |
    /// |                         | appends; `isVacant` = false | the thread that posts; runs the oldest |
    /// | finds false and returns |                             | the same                               |
    ///
    /// | drainer                | thread that posts | inside                         |
    /// |------------------------|-------------------|--------------------------------|
    /// | `isVacant` = true      |                   | no thread; closures are queued |
    /// | finds true, sets false |                   | drainer, which continues       |
    /// |                        | appends           | drainer                        |
    ///
    /// The closures stay in one queue, so their order does not depend on which thread runs them.
    private func runPosted() {
        guard let queue = queue.object else { return }
        let caller = CurrentThread.number
        var batch = BatchLimit(start: nil)
        while true {
            queue.next(for: caller)?()
            if calls.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { return }
            guard batch.countItem() else { continue }
            if queue.handOver(within: batch.time / 16) { return }
            batch = BatchLimit(start: nil)
        }
    }
}
