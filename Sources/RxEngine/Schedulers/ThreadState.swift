import Glibc
import Synchronization

/// What the engine keeps for each thread. It is reached through a pointer: the engine asks for it at every
/// subscription, where an object's reference counting and exclusivity checks would show.
struct ThreadState {
    /// Whether the thread is on its trampoline.
    var isOnTrampoline = false

    /// What the thread has put off.
    var trampoline = Trampoline()

    /// What is to go once that which is going has gone; see ``LettingGo``.
    var orphans: [AnyObject] = []
    /// How many go inside each other.
    var lettingGo: UInt32 = 0

    /// What new objects are charged to.
    var account: Resources.Account? {
        get { charged?.takeUnretainedValue() }
        set { charged = newValue.map { .passUnretained($0) } }
    }
    /// The same; ``Resources/Account/charge(_:)`` holds it meanwhile.
    private(set) var charged: Unmanaged<Resources.Account>?

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

    /// What the threads' states are found by, once it was made; asking for a lazy global would cost as much as
    /// counting.
    private static let key = Atomic<pthread_key_t>(noKey)
    private static let noKey = pthread_key_t.max

    private static let madeKey: pthread_key_t = {
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
        // Nothing has a value by a key that was not made.
        pthread_getspecific(key.load(ordering: .acquiring))?.assumingMemoryBound(to: ThreadState.self)
    }

    /// The thread's state, made on first use.
    static var current: UnsafeMutablePointer<ThreadState> {
        existing ?? make()
    }

    @inline(never)
    private static func make() -> UnsafeMutablePointer<ThreadState> {
        let key = madeKey
        Self.key.store(key, ordering: .releasing)
        let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        state.initialize(to: ThreadState())
        pthread_setspecific(key, state)
        return state
    }
}
