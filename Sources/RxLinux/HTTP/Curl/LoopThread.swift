import CCurl
import Glibc

/// A thread that runs one thing, which signals do not interrupt and nobody waits for.
enum LoopThread {
    /// Starts `body` on a new thread called `name`.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // A thread has the mask of the one that starts it, and so have those that it starts itself: the resolver's.
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

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
