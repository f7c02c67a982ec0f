import Glibc
import Synchronization

/// The one thread that comes to a place so often that it says without an exchange that it is in.
///
/// It has a word of its own, which no other thread writes: it stores what it is in, looks whether it is still the
/// regular, and then goes on; leaving, it stores zero and looks again. Exchanges, of 5 ns each, are for everybody else.
///
/// Whoever needs to know whether the regular is in, and is another thread, first dismisses it, for good, and then
/// passes the ``ProcessBarrier``. So the regular passes one as well, somewhere. If its store comes before that, it is
/// seen here; if after, then so does its look, which finds it dismissed. Whichever it is, the two agree on whether it
/// is in, or else the regular knows that they may not and asks under the lock. That costs a system call once in a
/// place's life.
///
/// A place has a lock under which ``whereabouts()`` and ``dismiss()`` are called.
struct Regular: ~Copyable, Sendable {
    /// A thread, ``nobodyYet`` or ``nobodyAnyMore``.
    private let thread = Atomic<UInt>(nobodyYet)
    private let word = Atomic<UInt>(0)

    private static let nobodyYet: UInt = 0
    private static let nobodyAnyMore: UInt = 1

    /// How often a place is come to before it gets a regular: by then the exchanges have cost more than the dismissal
    /// may.
    static let habit: UInt32 = 256

    /// The calling thread.
    @inline(__always)
    static var caller: UInt { UInt(pthread_self()) }

    /// Whether `caller` is the regular.
    @inline(__always)
    func `is`(_ caller: UInt) -> Bool {
        thread.load(ordering: .relaxed) == caller
    }

    /// Whether the regular is in. It alone may ask.
    @inline(__always)
    var isIn: Bool { word.load(ordering: .acquiring) != 0 }

    /// The regular comes in.
    ///
    /// - Returns: whether it is in. Otherwise it has been dismissed, and may have been seen to be in or not.
    @inline(__always)
    func comeIn(_ place: UInt, _ caller: UInt) -> Bool {
        word.store(place, ordering: .releasing)
        // For the compiler, which might exchange the two; on x86-64 it is no instruction.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
        return thread.load(ordering: .acquiring) == caller
    }

    /// The regular leaves, of which it is known that nobody else can be in.
    ///
    /// - Returns: `nil` where it has been dismissed before, and otherwise what ``leave(_:)`` returns.
    @inline(__always)
    func leave() -> Bool? {
        let regular = thread.load(ordering: .relaxed)
        return regular > Self.nobodyAnyMore ? leave(regular) : nil
    }

    /// The regular leaves.
    ///
    /// - Returns: whether that is all. Otherwise it has been dismissed, and may have been seen to be in or not.
    @inline(__always)
    func leave(_ caller: UInt) -> Bool {
        comeIn(0, caller)
    }

    /// Makes `caller` the regular.
    ///
    /// - Returns: `false` where there is or was one, or no thread can be it.
    @inline(never)
    @discardableResult
    func become(_ caller: UInt) -> Bool {
        ProcessBarrier.isAvailable
            && thread.compareExchange(
                expected: Self.nobodyYet, desired: caller, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// There is no regular after all: nobody has relied on that there was.
    func resign() {
        thread.store(Self.nobodyYet, ordering: .releasing)
    }

    /// Where the regular is; if it is another thread, it is dismissed. What was stored before with sequential
    /// consistency is seen by a regular that comes in after this.
    @inline(__always)
    func whereabouts() -> UInt {
        let thread = thread.load(ordering: .sequentiallyConsistent)
        if thread == Self.nobodyYet { return 0 }
        if thread == Self.nobodyAnyMore || thread == Self.caller { return word.load(ordering: .acquiring) }
        return dismiss()
    }

    /// Dismisses the regular.
    ///
    /// - Returns: where it is.
    @inline(never)
    func dismiss() -> UInt {
        let before = thread.exchange(Self.nobodyAnyMore, ordering: .sequentiallyConsistent)
        if before != Self.caller { ProcessBarrier.pass() }
        return word.load(ordering: .acquiring)
    }
}
