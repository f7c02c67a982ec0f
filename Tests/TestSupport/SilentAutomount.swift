import Glibc

/// A mount point whose file system is to be mounted at the first access, by a process that never does so: every access
/// by another process group than the first one blocks as long as this object lives.
package final class SilentAutomount {
    private let path: String
    private var pipes: [Int32] = [-1, -1]

    /// Fails if the user may not mount.
    package init(_ path: String) throws {
        self.path = path
        guard pipe(&pipes) == 0 else { throw Refusal(error: errno) }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let options = "fd=\(pipes[1]),pgrp=1,minproto=5,maxproto=5,direct"
        guard mount("rx-test", path, "autofs", 0, options) == 0 else { throw Refusal(error: errno) }
    }

    /// Ends the waiting: blocked accesses fail with an error.
    package func end() {
        umount2(path, Int32(MNT_DETACH))
        for end in pipes where end >= 0 { close(end) }
        pipes = []
    }

    deinit { end() }

    private struct Refusal: Error, CustomStringConvertible {
        let error: Int32

        var description: String { "mounting an automount: \(String(cString: strerror(error)))" }
    }
}
