import Glibc

/// A barrier that one thread passes for all threads of the process, so that what they do often needs none.
///
/// A processor may keep a store back while it already does the loads after it. Two threads that each store one word and
/// then load the other's may so both miss what the other has stored, unless each has a barrier between the two, which
/// an exchange is. Where one of them does so all the time and the other hardly ever, the other passes this one: every
/// thread that runs then passes a barrier too (`membarrier(2)`), wherever in its code it is. What it stored before that
/// is seen after this call, and what was stored before this call is seen by what it loads after that.
enum ProcessBarrier {
    /// Whether the kernel offers it: Linux 4.14, unless a filter of system calls forbids it. Asked once.
    static let isAvailable = isRegistered()

    /// Passes it. It takes a quarter of a microsecond, and about one where other threads are running.
    static func pass() {
        if call(expedited) || isRegistered() && call(expedited) { return }
        preconditionFailure("membarrier(2) was there before and no longer is")
    }

    // What is asked of the kernel, by the numbers of <linux/membarrier.h>.
    private static let expedited = 1 << 3
    private static let registration = 1 << 4

    /// A process that `fork` makes is registered when its parent was.
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

    /// `syscall(2)`. Swift leaves functions with a variable number of arguments out; where the number above is known,
    /// this one takes them as any other does.
    private static let systemCall: (@convention(c) (Int, Int, Int, Int) -> Int)? = dlsym(nil, "syscall").map {
        unsafeBitCast($0, to: (@convention(c) (Int, Int, Int, Int) -> Int).self)
    }
}
