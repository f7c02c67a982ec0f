import CCurl
import Glibc

/// Sockets that libcurl creates without close-on-exec, which child processes would inherit.
///
/// Each is one end of a pair, and libcurl exposes at most one of them.
enum InheritableSockets {
    /// Calls `make`, and sets close-on-exec on the ends of pairs that it creates.
    static func preventInheritance<Made>(_ make: () -> Made) -> Made {
        let before = ends()
        let made = make()
        for (end, inode) in ends() where before[end] != inode { rx_close_on_exec(end) }
        return made
    }

    /// Sets close-on-exec on `end` and the other end of its pair, if it is an end of a pair.
    ///
    /// The kernel does not show which two nameless sockets are a pair: it takes inodes from a batch for each processor,
    /// so that even those of a pair need not be consecutive. With a name of its own `end` is the peer of exactly one
    /// socket.
    static func preventInheritance(_ end: Int32) {
        guard rx_inheritable_pair_end(end) != 0 else { return }
        rx_close_on_exec(end)
        guard rx_name_socket(end) != 0 else { return }
        if let other = OpenDescriptors.numbers.first(where: { rx_is_peer($0, end) != 0 }) { rx_close_on_exec(other) }
    }

    /// All inheritable ends of pairs, and their inodes.
    private static func ends() -> [Int32: UInt64] {
        var ends: [Int32: UInt64] = [:]
        for descriptor in OpenDescriptors.numbers {
            let inode = rx_inheritable_pair_end(descriptor)
            if inode != 0 { ends[descriptor] = inode }
        }
        return ends
    }
}
