import Glibc

/// A lock on a directory, which one process holds at a time: until this is released, or the process ends.
public final class DirectoryLock: Sendable {
    private let descriptor: Descriptor

    /// Locks a directory, without a file of its own there.
    ///
    /// - Returns: `nil` if another process holds the lock.
    public init?(_ path: String) throws(SystemError) {
        let doing = "locking '\(path)'"
        descriptor = try Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), doing)
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            default: throw SystemError.last(doing)
            }
        }
    }
}
