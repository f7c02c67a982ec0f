import Glibc

/// What the engine keeps for each thread. It is reached through a pointer: the engine asks for it at every subscription,
/// where an object's reference counting and exclusivity checks would show.
struct ThreadState {
    /// Whether the thread is on its trampoline.
    var isOnTrampoline = false

    /// What the thread has put off.
    var trampoline = Trampoline()

    /// What new objects are charged to.
    var account: Resources.Account?

    #if TRACE_RESOURCES
    /// What the thread has made and let go of.
    let tallied: Resources.ThreadTally
    /// The counters themselves.
    let tally: Resources.Tally
    #endif

    private init() {
        #if TRACE_RESOURCES
        tallied = Resources.Threads.makeTally()
        tally = tallied.tally
        #endif
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { state in
            guard let state = state?.assumingMemoryBound(to: ThreadState.self) else { return }
            state.deinitialize(count: 1)
            state.deallocate()
        }
        precondition(status == 0, "no thread-specific key is left: \(String(cString: strerror(status)))")
        return key
    }()

    /// The thread's state, where it has one.
    static var existing: UnsafeMutablePointer<ThreadState>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: ThreadState.self)
    }

    /// The thread's state, made on first use.
    static var current: UnsafeMutablePointer<ThreadState> {
        existing ?? make()
    }

    @inline(never)
    private static func make() -> UnsafeMutablePointer<ThreadState> {
        let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        state.initialize(to: ThreadState())
        pthread_setspecific(key, state)
        return state
    }
}
