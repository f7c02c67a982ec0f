import Glibc

/// What the engine keeps for each thread.
final class ThreadState {
    /// The thread's trampoline.
    var trampoline = Trampoline()

    /// What new objects are charged to.
    var account: Resources.Account?

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { state in
            if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
        }
        precondition(status == 0, "no thread-specific key is left: \(String(cString: strerror(status)))")
        return key
    }()

    /// The thread's state, where it has one.
    static var existing: ThreadState? {
        pthread_getspecific(key).map { Unmanaged<ThreadState>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The thread's state, made on first use.
    static var current: ThreadState {
        if let existing { return existing }
        let state = ThreadState()
        pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
        return state
    }
}
