import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A lock that guards the stored properties beside it.
///
/// It takes one byte and no allocation, and an atomic exchange each to lock and to unlock if no other thread waits. The
/// standard library's `Mutex` is not used: around a generic value it makes unspecialized code look up that value's
/// layout at every access, and the ThreadSanitizer cannot see into the part of it that waits.
///
/// It is usable from inline code because only then does the compiler inline it in the package's other modules,
/// specialized for the closure's result.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
    @usableFromInline
    let state = Atomic<UInt8>(State.free)

    @inlinable
    package init() {}

    /// Runs `body` under the lock. `body` decides and returns what to do; it calls no user code and releases no object.
    @inlinable @inline(__always)
    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        if !state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged { wait() }
        defer { if state.exchange(State.free, ordering: .releasing) == State.contended { Self.wakeAll() } }
        return try body()
    }

    /// Runs `body` under the lock if the lock is free, and otherwise returns `nil`.
    @inlinable @inline(__always)
    package func lockedIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
        if !state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged {
            return nil
        }
        defer { if state.exchange(State.free, ordering: .releasing) == State.contended { Self.wakeAll() } }
        return try body()
    }

    /// Waits for the lock. It is held for a few instructions only, so spinning a little often avoids a sleep.
    @usableFromInline @inline(never)
    func wait() {
        for _ in 0..<100
        where state.load(ordering: .relaxed) == State.free
            && state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged
        {
            return
        }
        LockWaiters.sleep { state.exchange(State.contended, ordering: .acquiring) == State.free }
    }

    /// Wakes the threads that wait for any of the engine's locks.
    @usableFromInline @inline(never)
    static func wakeAll() {
        LockWaiters.wakeAll()
    }

    @usableFromInline
    enum State {
        @inlinable static var free: UInt8 { 0 }
        @inlinable static var held: UInt8 { 1 }
        /// Held, and a thread may be asleep until it is free.
        @inlinable static var contended: UInt8 { 2 }
    }
}

/// The mutex and the condition that all threads share that wait for any of the engine's locks. They are rarely needed,
/// so one pair is enough.
private enum LockWaiters {
    // Safe although marked unsafe: made once, never freed, and used through the `pthread` functions only.
    private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        return mutex
    }()
    // As above.
    private nonisolated(unsafe) static let condition: UnsafeMutablePointer<pthread_cond_t> = {
        let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        pthread_cond_init(condition, nil)
        return condition
    }()

    /// Sleeps until `isAcquired` returns true. It is called first, and again after each ``wakeAll()``.
    static func sleep(until isAcquired: () -> Bool) {
        pthread_mutex_lock(mutex)
        while !isAcquired() { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }

    static func wakeAll() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}
