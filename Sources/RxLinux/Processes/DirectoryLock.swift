import Glibc

/// A lock on a directory that one process holds at a time, until this object is released or the process ends.
public final class DirectoryLock: Sendable {
    private let descriptor: Descriptor

    /// Locks a directory without creating a file in it; `nil` if another process holds the lock.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - attempts: how often to try while another process holds the lock.
    ///   - pause: called between attempts.
    /// - Throws: the error if the directory cannot be opened or locked.
    public init?(
        _ path: String, attempts: Int = 1, pause: () -> Void = { usleep(20_000) }
    ) throws(SystemError) {
        var left = attempts
        let doing = "locking '\(path)'"
        descriptor = try Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), doing)
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                left -= 1
                if left <= 0 { return nil }
                pause()
            default: throw SystemError.last(doing)
            }
        }
    }
}
