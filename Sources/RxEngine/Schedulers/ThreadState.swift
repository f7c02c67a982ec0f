import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The engine's per-thread state.
///
/// It is accessed through a pointer: the engine reads it at every subscription, where the reference counting and
/// exclusivity checks of an object would be measurable.
struct ThreadState: ~Copyable {
    /// Whether the thread runs inside its trampoline.
    var isOnTrampoline = false

    /// The work that is queued on the thread's trampoline.
    var trampoline = Trampoline()

    /// The objects whose release is deferred until the current release is done; see ``DeferredRelease``.
    var deferred: [AnyObject] = []
    /// How many releases are nested inside each other.
    var releaseDepth: UInt32 = 0

    /// The element that the thread delivers, if its source waits for a ``Demand``.
    var elementInFlight: ElementInFlight?

    /// Whether the thread runs one of ``Hooks``, which then calls none: a hook that uses the engine does not recurse.
    var isInHook = false

    #if DEBUG
    /// The action of a scheduler that the thread runs, while ``Hooks/onBlocked`` is set.
    var watchedAction: BlockingWatch.Action?
    #endif

    /// The account that new objects are charged to.
    var account: Resources.Account? {
        get { unretainedAccount?.takeUnretainedValue() }
        set { unretainedAccount = newValue.map { .passUnretained($0) } }
    }
    /// ``account`` without a retain, for the counting of each object. ``Resources/Account/charge(_:)`` retains the
    /// account as long as it is stored here.
    private(set) var unretainedAccount: Unmanaged<Resources.Account>?

    #if TRACE_RESOURCES
    /// The owner of ``tally``, which adds it to the tally of ended threads when this thread ends.
    let tallyOwner: Resources.ThreadTally
    /// The counts of the objects that this thread has created, less those that it has released.
    let tally: Resources.Tally
    #endif

    private init() {
        #if TRACE_RESOURCES
        tallyOwner = Resources.Threads.makeTally()
        tally = tallyOwner.tally
        #endif
    }

    /// The key of the thread-specific value, once it was created. Reading a lazy global would cost as much as counting.
    private static let key = Atomic<pthread_key_t>(noKey)
    private static let noKey = pthread_key_t.max

    private static let createdKey: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { state in
            guard let state = state?.assumingMemoryBound(to: ThreadState.self) else { return }
            state.deinitialize(count: 1)
            state.deallocate()
        }
        precondition(status == 0, "no thread-specific key is left: \(String(cString: strerror(status)))")
        return key
    }()

    /// The thread's state, or `nil` if it has none yet.
    static var existing: UnsafeMutablePointer<ThreadState>? {
        // With a key that was not created, this returns nil.
        pthread_getspecific(key.load(ordering: .acquiring))?.assumingMemoryBound(to: ThreadState.self)
    }

    /// The thread's state, created on first use.
    static var current: UnsafeMutablePointer<ThreadState> {
        existing ?? make()
    }

    @inline(never)
    private static func make() -> UnsafeMutablePointer<ThreadState> {
        let key = createdKey
        Self.key.store(key, ordering: .releasing)
        let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        state.initialize(to: ThreadState())
        pthread_setspecific(key, state)
        return state
    }
}
