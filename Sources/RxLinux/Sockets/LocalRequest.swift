import CLinux

/// A request that a program of this machine has sent over a unix socket.
public final class LocalRequest: Sendable {
    /// The credentials of the client, as the kernel reports them.
    public struct Peer: Sendable, Hashable {
        /// The number of the process that connected.
        public let process: Int32
        /// The user number of that process.
        public let user: UInt32
        /// The group number of that process.
        public let group: UInt32
        /// The numbers of the process's other groups; empty if it has more than 1,000.
        public let groups: Set<UInt32>
    }

    /// The bytes of the request, without the line end.
    public let text: [UInt8]
    private let connection: LocalConnection

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - text: the bytes of the request, without the line end.
    ///   - connection: the connection, which closes after the answer, or when the request is released without one.
    init(text: [UInt8], _ connection: LocalConnection) {
        self.text = text
        self.connection = connection
    }

    deinit {
        connection.close()
    }

    /// The credentials of the client.
    public var peer: Peer { connection.peer }

    /// Whether the client has gone without an answer.
    public var isAbandoned: Bool { connection.isAbandoned }

    /// Sends the answer and closes the connection. Only the first call has an effect.
    ///
    /// This method does not block and can be called on any thread. The part of the answer that the client does not read
    /// at once is sent later, within ``LocalServer/Limits/transferTimeout``. An answer after
    /// ``LocalServer/Limits/answerTimeout`` is dropped.
    public func answer(_ bytes: [UInt8]) {
        connection.answer(bytes)
    }

    /// Keeps the connection open for many lines in place of one answer.
    ///
    /// - Parameter onEnd: called once, on a queue of the server, when the client has closed the connection, or the server
    ///   ends.
    /// - Returns: the stream; `nil` if the request was answered, or its connection is closed.
    public func stream(onEnd: @escaping @Sendable () -> Void) -> LocalStream? {
        connection.beginStream(onEnd: onEnd) ? LocalStream(connection) : nil
    }
}

extension LocalRequest.Peer {
    /// Returns the credentials of the client at the other end of a socket; `nil` if they are unknown.
    init?(of socket: Int32) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        guard rx_peer(socket, &process, &user, &group) == 0 else { return nil }
        var groups = [UInt32](repeating: 0, count: 1_000)
        let count = Int(rx_peer_groups(socket, &groups, Int32(groups.count)))
        self.init(process: process, user: user, group: group, groups: Set(groups.prefix(count)))
    }
}
