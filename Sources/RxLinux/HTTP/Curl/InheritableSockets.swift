import CCurl
import Glibc

/// Sockets that libcurl makes for itself, which programs started by this one would inherit.
///
/// Each is one end of a pair, and libcurl tells of one end at most. The ends are made one after the other: they have
/// inodes that follow each other.
enum InheritableSockets {
    /// How many descriptors after the first that was free are looked at.
    private static let reach: Int32 = 64

    /// Does `make`, and keeps the pairs that it makes from being inherited.
    static func withhold<Made>(_ make: () -> Made) -> Made {
        let first = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if first >= 0 { close(first) }
        let made = make()
        guard first >= 0 else { return made }
        for descriptor in first..<first + reach { withhold(descriptor) }
        return made
    }

    /// Keeps `end` and the other end of its pair from being inherited, where it is an end of a pair.
    static func withhold(_ end: Int32) {
        let inode = rx_inheritable_pair_end(end)
        guard inode != 0 else { return }
        for other in max(0, end - reach)...(end + reach) where other != end {
            let otherInode = rx_inheritable_pair_end(other)
            guard otherInode != 0, otherInode == inode + 1 || inode == otherInode + 1 else { continue }
            rx_close_on_exec(other)
            rx_close_on_exec(end)
            return
        }
    }
}
