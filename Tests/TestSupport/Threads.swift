import Glibc

// Unchecked: `pthread_t` is a number.
/// A thread for tests.
package final class Thread: @unchecked Sendable {
    private var handle = pthread_t()

    /// Starts a thread.
    ///
    /// - Parameter stack: the size of its stack in bytes; `nil` for the default.
    package init(stack: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if let stack { pthread_attr_setstacksize(&attributes, stack) }
        let status = pthread_create(
            &handle, &attributes,
            { body in
                if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(status == 0, "no thread: \(String(cString: strerror(status)))")
        pthread_attr_destroy(&attributes)
    }

    /// Waits until the thread has ended.
    package func join() {
        pthread_join(handle, nil)
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

/// Runs `body` on several threads, which begin together, and waits for all of them.
package func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let waiting = Cell(threads)
    let all = (0..<threads).map { number in
        Thread {
            waiting.update { $0 -= 1 }
            while waiting.value > 0 { sched_yield() }
            body(number)
        }
    }
    for thread in all { thread.join() }
}

/// Runs `body` on a thread with a stack of 512 KiB, and waits until it has returned. A deep recursion would overflow that
/// stack, and crash the test process.
package func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    Thread(stack: 512 * 1024, body).join()
}
