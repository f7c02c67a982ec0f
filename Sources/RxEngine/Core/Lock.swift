import Glibc
import Synchronization

/// A lock for the stored properties beside it.
///
/// It takes a byte, an exchange each way while nobody else wants it, and no allocation. The library's `Mutex` is not
/// used: around a generic value it makes unspecialised code look that value's layout up at every access, and the
/// ThreadSanitizer cannot see into the part of it that waits.
///
/// It is usable from inline code because the compiler inlines it in the package's other modules only then, specialized
/// for what the closure returns.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
    @usableFromInline
    let state = Atomic<UInt8>(State.free)

    @inlinable
    package init() {}

    /// Runs `body` under the lock. It decides and returns what to do; it calls nobody.
    @inlinable @inline(__always)
    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        if !state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged { wait() }
        defer { if state.exchange(State.free, ordering: .releasing) == State.awaited { Self.wakeAll() } }
        return try body()
    }

    /// ``locked(_:)`` if the lock is free, otherwise `nil`.
    @inlinable @inline(__always)
    package func lockedIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
        if !state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged {
            return nil
        }
        defer { if state.exchange(State.free, ordering: .releasing) == State.awaited { Self.wakeAll() } }
        return try body()
    }

    /// Whoever holds the lock only decides something: it is worth a look or two before going to sleep.
    @usableFromInline @inline(never)
    func wait() {
        for _ in 0..<100
        where state.load(ordering: .relaxed) == State.free
            && state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged
        {
            return
        }
        WaitingRoom.sleep { state.exchange(State.awaited, ordering: .acquiring) == State.free }
    }

    @usableFromInline @inline(never)
    static func wakeAll() {
        WaitingRoom.wakeAll()
    }

    @usableFromInline
    enum State {
        @inlinable static var free: UInt8 { 0 }
        @inlinable static var held: UInt8 { 1 }
        /// Held, and someone sleeps until it is free.
        @inlinable static var awaited: UInt8 { 2 }
    }
}

/// Where threads sleep that wait for any of the engine's locks. It is rarely entered, so one is enough.
private enum WaitingRoom {
    // Unsafe in name only: made once, never freed, and used through the functions meant for it.
    private nonisolated(unsafe) static let door: UnsafeMutablePointer<pthread_mutex_t> = {
        let door = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(door, nil)
        return door
    }()
    // As above.
    private nonisolated(unsafe) static let bell: UnsafeMutablePointer<pthread_cond_t> = {
        let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        pthread_cond_init(bell, nil)
        return bell
    }()

    /// Sleeps until `isMine`, which is asked at each ring of the bell.
    static func sleep(until isMine: () -> Bool) {
        pthread_mutex_lock(door)
        while !isMine() { pthread_cond_wait(bell, door) }
        pthread_mutex_unlock(door)
    }

    static func wakeAll() {
        pthread_mutex_lock(door)
        pthread_cond_broadcast(bell)
        pthread_mutex_unlock(door)
    }
}
