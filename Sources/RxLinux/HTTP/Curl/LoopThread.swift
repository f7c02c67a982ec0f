import CCurl
import Glibc

/// A detached thread that runs one closure, with all signals blocked.
enum LoopThread {
    /// Starts a thread called `name` that runs `body`.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // A thread inherits the signal mask, and passes it to the threads that it starts: the resolver's.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let context = Unmanaged.passRetained(
            Body {
                rx_loop_name(name)
                body()
            })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw SystemError(status, "starting the thread of an HTTP client")
        }
        pthread_detach(thread)
    }

    /// The closure that a new thread runs, as an object for `pthread_create`.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
