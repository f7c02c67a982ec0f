import Dispatch
import Glibc

/// The last descriptors that a process may have, which this library leaves to others.
///
/// Dispatch ends a process that has none left: while work waits for a thread of a global or concurrent queue, Swift's
/// tasks included, it opens a file of each such thread once a second, and it must not fail. What is opened here to be
/// kept is closed again instead, as if there had been no room. Serial queues, the only ones that this library uses, are
/// not looked at: a program that has no others goes on even where somebody else takes the reserve.
enum DescriptorReserve {
    private static let size: rlim_t = 16

    /// Whether `number`, which is new, may be kept. It is the lowest that was free, so that all below it are taken.
    static func allows(_ number: Int32) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
        return rlim_t(max(0, number)) < limit.rlim_cur - min(size, limit.rlim_cur / 2)
    }

    /// Fails where one more would be one of the last, for what another library is about to open.
    static func check(_ doing: @autoclosure () -> String) throws(SystemError) {
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard probe >= 0 else { throw SystemError.last(doing()) }
        defer { close(probe) }
        guard allows(probe) else { throw SystemError(EMFILE, doing()) }
    }

    /// Has Dispatch open what it needs for timers, which it would do with the first of them: without, none ever fires.
    static func prepareDispatch() {
        // Far enough that it is still to come when it is seen to.
        DispatchQueue(label: "rx.prepare").asyncAfter(deadline: .now() + .milliseconds(100)) {}
    }
}
