import CLinux
import Glibc

/// The client's side of a ``LocalServer``.
public enum LocalCall {
    /// Sends a line to the unix socket at `path`, and blocks until the whole answer has arrived.
    ///
    /// - Parameters:
    ///   - line: the request, without its line end.
    ///   - path: the path of the server's socket.
    ///   - deadline: the longest wait for the whole exchange.
    /// - Returns: the bytes of the answer.
    /// - Throws: the error of the system call that failed; `ETIMEDOUT` if the exchange takes longer than `deadline`.
    public static func ask(_ line: [UInt8], at path: String, within deadline: Duration) throws(SystemError) -> [UInt8] {
        let doing = "connecting to \(path)"
        let end = ContinuousClock.now + deadline
        let socket = try connect(to: SocketAddress(unix: path), until: end, doing)
        try wait(for: POLLOUT, at: socket.number, until: end, doing)
        try SocketAddress.finishConnecting(socket.number, doing)
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, at: socket.number, until: end, doing)
            let count = rest.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno != EINTR, errno != EAGAIN { throw SystemError.last(doing) }
            rest = rest.dropFirst(max(0, count))
        }
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            try wait(for: POLLIN, at: socket.number, until: end, doing)
            let count = read(socket.number, &block, block.count)
            if count < 0, errno != EINTR, errno != EAGAIN { throw SystemError.last(doing) }
            if count == 0 { return answer }
            answer += block[..<max(0, count)]
        }
    }

    /// Starts connecting, and retries while the socket's backlog is full.
    private static func connect(
        to address: SocketAddress, until end: ContinuousClock.Instant, _ doing: String
    ) throws(SystemError) -> Descriptor {
        while true {
            do throws(SystemError) {
                return try address.beginConnecting(doing)
            } catch {
                guard error.number == EAGAIN, ContinuousClock.now < end else { throw error }
                poll(nil, 0, 10)
            }
        }
    }

    private static func wait(
        for event: Int32, at socket: Int32, until end: ContinuousClock.Instant, _ doing: String
    ) throws(SystemError) {
        var interest = pollfd(fd: socket, events: Int16(event), revents: 0)
        while true {
            let left = max(.zero, end - .now)
            let status = poll(&interest, 1, Int32(clamping: left.wholeMicroseconds / 1_000 + 1))
            if status > 0 { return }
            if status == 0, ContinuousClock.now >= end { throw SystemError(ETIMEDOUT, doing) }
            if status < 0, errno != EINTR { throw SystemError.last(doing) }
        }
    }
}
