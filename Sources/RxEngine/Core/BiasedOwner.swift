import Synchronization

/// The thread that a drain or a subscriber list is biased to: it publishes what it uses without an atomic exchange.
///
/// This is biased locking. The owner stores the value that it uses (an address, or 1), checks that it is still the
/// owner, and proceeds; when it is done it stores zero and checks again. Exchanges, of 5 ns each, are for all other
/// threads.
///
/// Another thread that needs to know which value is in use first revokes the owner, permanently, and then issues the
/// ``ProcessBarrier``, so that the owner executes one too, wherever in its code it is. If the owner stores the value
/// before that barrier, the revoking thread sees it:
///
/// | owner                     | revoking thread                  | then                      |
/// |---------------------------|----------------------------------|---------------------------|
/// | stores `value`            |                                  |                           |
/// | may load `thread` here    |                                  | `enter` returns true      |
/// |                           | `thread` = `revoked`, barrier    |                           |
/// |                           | loads `value`: the owner's store | knows what the owner uses |
/// | or may load `thread` here |                                  | `enter` returns false     |
///
/// If the owner stores the value after the barrier, it sees the revocation:
///
/// | owner                     | revoking thread                       | then                             |
/// |---------------------------|---------------------------------------|----------------------------------|
/// |                           | `thread` = `revoked`, barrier         |                                  |
/// | stores `value`            | loads `value`: the old or the new one | may not know what the owner uses |
/// | loads `thread`: `revoked` |                                       | `enter` returns false            |
///
/// So if `enter` returns true, a thread that revokes the owner meanwhile sees the value. If it returns false, the owner
/// does not know whether the value was seen, and asks under the lock. A revocation is one system call in the life of a
/// drain or list.
///
/// ``valueInUse()`` and ``revoke()`` are called under the lock of the drain or list.
struct BiasedOwner: ~Copyable, Sendable {
    /// The owner, ``unclaimed`` or ``revoked``.
    private let thread = Atomic<UInt>(unclaimed)
    /// The value that the owner uses, zero if none. Only the owner writes it.
    private let value = Atomic<UInt>(0)

    private static let unclaimed: UInt = 0
    private static let revoked: UInt = 1

    /// After how many uses without an owner a thread claims ownership: by then the exchanges have cost more than a
    /// revocation may.
    static let threshold: UInt32 = 256

    /// Whether `caller` is the owner.
    @inline(__always)
    func isOwner(_ caller: UInt) -> Bool {
        thread.load(ordering: .relaxed) == caller
    }

    /// Whether the owner uses a value. Only the owner may ask.
    @inline(__always)
    var isInside: Bool { value.load(ordering: .acquiring) != 0 }

    /// Publishes on the owner's thread that it uses `value`.
    ///
    /// - Returns: `false` if the owner has been revoked. The revoking thread may or may not have seen `value` then.
    @inline(__always)
    func enter(using value: UInt, as caller: UInt) -> Bool {
        self.value.store(value, ordering: .releasing)
        // Keeps the compiler from reordering the store and the load; on x86-64 it is not an instruction.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
        return thread.load(ordering: .acquiring) == caller
    }

    /// Publishes that the owner uses nothing any more, if there is an owner, which must be the calling thread.
    ///
    /// - Returns: the result of ``leave(as:)``; `nil` if there is no owner.
    @inline(__always)
    func leaveIfBiased() -> Bool? {
        let owner = thread.load(ordering: .relaxed)
        return owner > Self.revoked ? leave(as: owner) : nil
    }

    /// Publishes on the owner's thread that it uses nothing any more.
    ///
    /// - Returns: `false` if the owner has been revoked. The revoking thread may or may not have seen the value then.
    @inline(__always)
    func leave(as caller: UInt) -> Bool {
        enter(using: 0, as: caller)
    }

    /// Makes `caller` the owner.
    ///
    /// - Returns: `false` if there is or was an owner, or if the process barrier is not available.
    @inline(never)
    @discardableResult
    func claim(_ caller: UInt) -> Bool {
        ProcessBarrier.isAvailable
            && thread.compareExchange(
                expected: Self.unclaimed, desired: caller, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// Takes back a claim that no other thread has relied on.
    func cancelClaim() {
        thread.store(Self.unclaimed, ordering: .releasing)
    }

    /// The value that the owner uses, zero if none. An owner that is another thread is revoked.
    ///
    /// A thread that becomes the owner after this call sees what the caller stored before with sequential consistency.
    @inline(__always)
    func valueInUse() -> UInt {
        let thread = thread.load(ordering: .sequentiallyConsistent)
        if thread == Self.unclaimed { return 0 }
        if thread == Self.revoked || thread == CurrentThread.number { return value.load(ordering: .acquiring) }
        return revoke()
    }

    /// Revokes the owner permanently.
    ///
    /// - Returns: the value that the owner uses, zero if none.
    @inline(never)
    func revoke() -> UInt {
        let before = thread.exchange(Self.revoked, ordering: .sequentiallyConsistent)
        if before != CurrentThread.number { ProcessBarrier.issue() }
        return value.load(ordering: .acquiring)
    }
}
