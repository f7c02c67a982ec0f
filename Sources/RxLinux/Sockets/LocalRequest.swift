import CLinux
import Glibc
import RxEngine

// Unchecked: the descriptor is behind the lock.
/// What a program of this machine asks over a unix socket.
public final class LocalRequest: @unchecked Sendable {
    /// Who asks, as the kernel knows it.
    public struct Peer: Sendable, Hashable {
        /// The process that connected.
        public let process: Int32
        /// Its user.
        public let user: UInt32
        /// Its group.
        public let group: UInt32
    }

    /// The line, without its end.
    public let text: [UInt8]
    /// Who asks.
    public let peer: Peer
    private let lock = Lock()
    private var caller: Int32?

    /// - Parameter caller: a socket that is closed after the answer, or when nobody is left to give one.
    init(text: [UInt8], peer: Peer, _ caller: Int32) {
        self.text = text
        self.peer = peer
        self.caller = caller
    }

    deinit {
        if let caller { close(caller) }
    }

    /// Gives the answer, once, and hangs up. Waits for a caller who is slow to take it, for up to ten seconds.
    public func answer(_ bytes: [UInt8]) {
        guard let number = lock.locked({ caller.take() }) else { return }
        let socket = Descriptor(owning: number)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension LocalRequest.Peer {
    /// Who is at the other end of a socket.
    init?(of socket: Int32) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        guard rx_peer(socket, &process, &user, &group) == 0 else { return nil }
        self.init(process: process, user: user, group: group)
    }
}
