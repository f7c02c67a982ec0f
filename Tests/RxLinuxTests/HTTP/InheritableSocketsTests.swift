import CLinux
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import RxLinux

/// Close-on-exec is set on libcurl's pairs of sockets, and on no others.
@Suite(.balanced) struct InheritableSocketsTests {
    private struct Pair: Sendable {
        let ends: (Int32, Int32)

        /// - Parameter distance: the least difference of the two descriptor numbers.
        init(apart distance: Int32 = 0) throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, rx_socket_stream, 0, &ends) == 0)
            if distance > 0 {
                let other = fcntl(ends[1], F_DUPFD, ends[0] + distance)
                Glibc.close(ends[1])
                ends[1] = other
            }
            self.ends = (ends[0], ends[1])
        }

        var isConsecutive: Bool {
            let (one, other) = (inode(ends.0), inode(ends.1))
            return one + 1 == other || other + 1 == one
        }

        /// Whether a started program would inherit each end.
        var inherited: [Bool] { [ends.0, ends.1].map { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 } }

        func close() {
            Glibc.close(ends.0)
            Glibc.close(ends.1)
        }

        private func inode(_ end: Int32) -> UInt {
            var status = stat()
            return fstat(end, &status) == 0 ? status.st_ino : 0
        }
    }

    /// The kernel takes inodes from a batch for each processor. Sometimes the two inodes of a pair are from different
    /// batches.
    @Test func bothEndsAreSealedWhenInodesAreNotConsecutive() throws {
        let found = Cell<[Pair]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for count in 0..<200_000 where found.value.isEmpty {
                guard let pair = try? Pair() else { return }
                // A single socket takes one inode, which moves the end of a batch into a pair.
                if count % 700 == 0 { close(socket(AF_UNIX, rx_socket_stream | rx_socket_cloexec, 0)) }
                if pair.isConsecutive { pair.close() } else { found.append(pair) }
            }
        }
        defer { for pair in found.value { pair.close() } }
        try #require(!found.value.isEmpty)
        for pair in found.value {
            InheritableSockets.preventInheritance(pair.ends.1)
            #expect(pair.inherited == [false, false])
        }
    }

    /// A pair gets the lowest free descriptor numbers, which may be far apart.
    @Test func bothEndsAreSealedWithDistantDescriptors() throws {
        let pair = try Pair(apart: 500)
        defer { pair.close() }
        InheritableSockets.preventInheritance(pair.ends.0)
        #expect(pair.inherited == [false, false])
        let (made, other) = try InheritableSockets.preventInheritance { Result { (try Pair(apart: 500), try Pair()) } }
            .get()
        #expect(made.inherited == [false, false] && other.inherited == [false, false])
        made.close()
        other.close()
    }

    @Test func earlierPairsStayInheritable() throws {
        let gap = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let before = try Pair()
        close(gap)
        defer { before.close() }
        try InheritableSockets.preventInheritance { Result { try Pair() } }.get().close()
        #expect(before.inherited == [true, true])
        // An unconnected socket is not an end of a pair.
        let named = socket(AF_UNIX, rx_socket_stream, 0)
        defer { close(named) }
        InheritableSockets.preventInheritance(named)
        #expect(fcntl(named, F_GETFD) & FD_CLOEXEC == 0)
    }
}
