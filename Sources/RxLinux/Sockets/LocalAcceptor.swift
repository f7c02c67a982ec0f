import CLinux
import Dispatch
import Glibc

// Unchecked: used only on its queue.
/// Accepts the connections of a ``LocalServer`` and reads all of them on one queue, without blocking it.
final class LocalAcceptor: @unchecked Sendable {
    let queue = DispatchQueue(label: "rx.local-server")
    private let limits: LocalServer.Limits
    private let refusal: @Sendable (LocalRequest.Peer) -> [UInt8]?
    private let onRequest: @Sendable (LocalRequest) -> Void
    private var table: LocalConnectionTable
    /// The open connections by number.
    private var connections: [Int: LocalConnection] = [:]
    private var lastNumber = 0
    private var isClosed = false

    init(
        _ limits: LocalServer.Limits, refusal: @escaping @Sendable (LocalRequest.Peer) -> [UInt8]?,
        onRequest: @escaping @Sendable (LocalRequest) -> Void
    ) {
        self.limits = limits
        self.refusal = refusal
        self.onRequest = onRequest
        table = LocalConnectionTable(maximumPerUser: limits.connectionsPerUser)
    }

    /// Ends all connections that have not sent their line, and all streams.
    func close() {
        queue.async { [self] in
            isClosed = true
            for connection in connections.values { connection.endUnlessAnswering() }
        }
    }

    /// Accepts pending connections, a few at a time.
    func accept(from listener: Int32) {
        for _ in 0..<16 {
            let socket = accept4(listener, nil, nil, rx_socket_cloexec | rx_socket_nonblock)
            guard socket >= 0 else {
                // The listener stays readable: without a pause, this would be called in a loop until a descriptor is
                // free.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { poll(nil, 0, 100) }
                return
            }
            admit(Descriptor(owning: socket))
        }
    }

    private func admit(_ socket: consuming Descriptor) {
        guard !isClosed, let peer = LocalRequest.Peer(of: socket.number) else { return }
        if let answer = refusal(peer) {
            _ = answer.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            return
        }
        lastNumber += 1
        let number = lastNumber
        switch table.enter(number, of: peer.user) {
        case .refused: return
        case .admitted: break
        case .inPlaceOf(let other): connections.removeValue(forKey: other)?.endIfReading()
        }
        let connection = LocalConnection(
            socket.release(), peer, limits, on: queue,
            onLine: { [weak self] in self?.received($0, number) },
            onEnd: { [weak self] in self?.ended(number, peer.user) })
        connections[number] = connection
        connection.read()
    }

    private func received(_ line: [UInt8], _ number: Int) {
        guard let connection = connections[number] else { return }
        table.received(number, of: connection.peer.user)
        onRequest(LocalRequest(text: line, connection))
    }

    private func ended(_ number: Int, _ user: UInt32) {
        // A connection that another one replaced has left the table already.
        if connections.removeValue(forKey: number) != nil { table.leave(number, of: user) }
    }
}
