import Dispatch
import Glibc

/// The last descriptors below the process's limit, which this library does not use.
///
/// Dispatch ends a process that has no free descriptor: while work waits for a thread of a global or concurrent queue,
/// which includes Swift's tasks, it opens a file for each such thread once a second, and crashes if that fails. So this
/// library closes a descriptor of the reserve again, and fails as if there had been none. Dispatch does not inspect
/// serial queues, the only ones that this library uses: a program with no other queues survives even if other code uses
/// up the reserve.
package enum DescriptorReserve {
    private static let size: rlim_t = 16

    /// Whether a new descriptor may be kept. The kernel returns the lowest free number, so all lower ones are in use.
    ///
    /// - Parameters:
    ///   - number: the new descriptor.
    ///   - leavingQuarter: whether the last quarter of all descriptors must stay free as well. Connections to servers
    ///     use this, since any number of servers may hang.
    package static func allows(_ number: Int32, leavingQuarter: Bool = false) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
        let left = max(min(size, limit.rlim_cur / 2), leavingQuarter ? limit.rlim_cur / 4 : 0)
        return rlim_t(max(0, number)) < limit.rlim_cur - left
    }

    /// Throws if a new descriptor would be one of the reserve; called before another library opens one.
    package static func check(_ doing: @autoclosure () -> String) throws(SystemError) {
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard probe >= 0 else { throw SystemError.last(doing()) }
        defer { close(probe) }
        guard allows(probe) else { throw SystemError(EMFILE, doing()) }
    }

    /// Makes Dispatch open its descriptors for timers early.
    ///
    /// It opens them with the first timer, and if none is free
    /// then, no timer ever fires.
    package static func prepareDispatch() {
        // Long enough that Dispatch registers the timer before it is due.
        DispatchQueue(label: "rx.prepare").asyncAfter(deadline: .now() + .milliseconds(100)) {}
    }
}
