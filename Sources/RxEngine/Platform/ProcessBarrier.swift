#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A memory barrier that one thread issues for all threads of the process, so that frequent operations need none.
///
/// A processor may delay a store until after the loads that follow it. So two threads that each store one word and then
/// load the other's may both miss the other's store, unless each has a barrier, such as an exchange, between the two:
///
/// | frequent thread                           | rare thread, without this barrier |
/// |-------------------------------------------|-----------------------------------|
/// | stores A, which stays in its store buffer |                                   |
/// | loads B: the old value                    |                                   |
/// |                                           | stores B                          |
/// |                                           | loads A: the old value            |
///
/// With this barrier, only the rare thread pays: it issues the barrier between its store and its load, and the kernel
/// makes every running thread execute one too (`membarrier(2)`), wherever in its code it is. The caller then sees what
/// another thread stored before that thread's barrier, and another thread's loads after its barrier see what the
/// caller stored before the call.
enum ProcessBarrier {
    /// Whether the kernel offers the barrier: Linux 4.14, unless a seccomp filter forbids it. Determined once.
    static let isAvailable = isRegistered()

    /// Issues the barrier. This takes a quarter of a microsecond, and about one while other threads are running.
    static func issue() {
        if call(expedited) || isRegistered() && call(expedited) { return }
        preconditionFailure("membarrier(2) worked when the process registered for it, and fails now")
    }

    // The commands, as <linux/membarrier.h> numbers them.
    private static let expedited = 1 << 3
    private static let registration = 1 << 4

    /// Registers the process, which ``issue()`` needs. A child of `fork` is registered if its parent was.
    private static func isRegistered() -> Bool {
        call(registration)
    }

    private static func call(_ command: Int) -> Bool {
        guard let number, let systemCall else { return false }
        return systemCall(number, command, 0, 0) == 0
    }

    #if arch(x86_64)
    private static let number: Int? = 324
    #elseif arch(arm64) || arch(riscv64)
    private static let number: Int? = 283
    #else
    private static let number: Int? = nil
    #endif

    /// `syscall(2)`, found by name since Swift does not import variadic functions. On the architectures above, it takes
    /// its arguments like a function with a fixed number of them.
    private static let systemCall: (@convention(c) (Int, Int, Int, Int) -> Int)? = dlsym(nil, "syscall").map {
        unsafeBitCast($0, to: (@convention(c) (Int, Int, Int, Int) -> Int).self)
    }
}
