import Glibc
import RxEngine
import Synchronization

// Unchecked: `pthread_t` is a number, written before another thread has the object.
/// A POSIX thread.
final class PosixThread: @unchecked Sendable {
    private var handle = pthread_t()

    /// Starts a thread that runs `body`.
    init(_ body: @escaping @Sendable () -> Void) {
        let status = pthread_create(
            &handle, nil,
            { body in
                if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(status == 0, "cannot start a thread: \(String(cString: strerror(status)))")
    }

    /// Waits until the thread has ended.
    func join() {
        pthread_join(handle, nil)
    }

    /// Frees the thread when it ends; it is never joined.
    func detach() {
        pthread_detach(handle)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

/// Runs `body` on several threads, which begin together, and waits for all of them.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = StartBarrier(count)
    let threads = (0..<count).map { number in
        PosixThread {
            start.wait()
            body(number)
        }
    }
    for thread in threads { thread.join() }
}

/// Blocks threads until all of them have arrived.
final class StartBarrier: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) {
        missing = Atomic(count)
    }

    func wait() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
        while missing.load(ordering: .acquiring) > 0 { sched_yield() }
    }
}

/// Keeps the processor busy for some time; `count` 1,000 is about a microsecond.
@inline(never)
func spin(_ count: Int) {
    for _ in 0..<count / 8 { blackHole(count) }
}

@inline(never)
@_optimize(none)
private func blackHole(_ number: Int) {}

extension Locked {
    /// The current value.
    var value: Value { withLock { $0 } }
}

/// Waits until `condition` holds.
///
/// - Returns: `false` if it does not within `seconds`.
func waitUntil(within seconds: Int = Deadline.seconds, _ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    var rounds = 0
    while !condition() {
        rounds += 1
        if rounds % 64 == 0, ContinuousClock.now > end { return false }
        sched_yield()
    }
    return true
}

/// The time limit for events that must happen.
package enum Deadline {
    /// In seconds: far more than a program takes on a busy machine.
    static let seconds = 20
}
