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
        let end = SuspendingClock.now + deadline
        let socket = try send(line, to: path, until: end)
        let doing = "waiting for the answer at \(path)"
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            try wait(for: POLLIN, at: socket.number, until: end, doing)
            let count = read(socket.number, &block, block.count)
            // A server that has refused the request has not read it, which resets the connection after its answer.
            if count == 0 || count < 0 && errno == ECONNRESET && !answer.isEmpty { return answer }
            if count < 0, errno != EINTR, errno != EAGAIN { throw SystemError.last(doing) }
            answer += block[..<max(0, count)]
        }
    }

    /// Sends a line to the unix socket at `path`, and blocks while the server sends lines.
    ///
    /// - Parameters:
    ///   - line: the request, without its line end.
    ///   - path: the path of the server's socket.
    ///   - deadline: the longest wait for the connection, and for sending the line.
    ///   - output: a pipe that the lines are written to; when its reader has gone, this returns. -1 for none.
    ///   - receive: called with each line that arrives, without its end; returns whether to continue.
    ///   - whenConnected: called when the line is sent, before anything is read.
    /// - Returns: whether the server has closed the connection, and not the reader of the output or `receive` ended it.
    /// - Throws: the error of the system call that failed; `ETIMEDOUT` if connecting takes longer than `deadline`.
    @discardableResult
    public static func follow(
        _ line: [UInt8], at path: String, within deadline: Duration, output: Int32 = -1, _ receive: ([UInt8]) -> Bool,
        whenConnected: () -> Void = {}
    ) throws(SystemError) -> Bool {
        let doing = "connecting to \(path)"
        let socket = try send(line, to: path, until: .now + deadline)
        whenConnected()
        var (rest, block) = ([UInt8](), [UInt8](repeating: 0, count: 64 * 1024))
        while true {
            // Without events, only this shows that the reader of the output has gone.
            var waiting = [
                pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
            ]
            poll(&waiting, 2, -1)
            if waiting[1].revents & Int16(POLLERR) != 0 { return false }
            if waiting[0].revents == 0 { continue }
            let count = read(socket.number, &block, block.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count == 0 || count < 0 && errno == ECONNRESET { return true }
            if count < 0 { throw SystemError.last(doing) }
            rest += block[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                if !receive(line) { return false }
            }
        }
    }

    /// Connects to the unix socket at `path`, and sends a line.
    ///
    /// - Returns: the connection.
    package static func send(
        _ line: [UInt8], to path: String, until end: SuspendingClock.Instant
    ) throws(SystemError) -> Descriptor {
        let doing = "connecting to \(path)"
        let socket = try connect(to: SocketAddress(unix: path), until: end, doing)
        try wait(for: POLLOUT, at: socket.number, until: end, doing)
        try SocketAddress.finishConnecting(socket.number, doing)
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, at: socket.number, until: end, doing)
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The server has closed the connection: what it has said can still be read.
            if count < 0, errno == EPIPE { return socket }
            if count < 0, errno != EINTR, errno != EAGAIN { throw SystemError.last(doing) }
            rest = rest.dropFirst(max(0, count))
        }
        return socket
    }

    /// Starts connecting, and retries while the socket's backlog is full.
    private static func connect(
        to address: SocketAddress, until end: SuspendingClock.Instant, _ doing: String
    ) throws(SystemError) -> Descriptor {
        while true {
            do throws(SystemError) {
                return try address.beginConnecting(doing)
            } catch {
                guard error.number == EAGAIN, SuspendingClock.now < end else { throw error }
                poll(nil, 0, 10)
            }
        }
    }

    private static func wait(
        for event: Int32, at socket: Int32, until end: SuspendingClock.Instant, _ doing: String
    ) throws(SystemError) {
        var interest = pollfd(fd: socket, events: Int16(event), revents: 0)
        while true {
            let left = max(.zero, end - .now)
            let status = poll(&interest, 1, Int32(clamping: left.wholeMicroseconds / 1_000 + 1))
            if status > 0 { return }
            if status == 0, SuspendingClock.now >= end { throw SystemError(ETIMEDOUT, doing) }
            if status < 0, errno != EINTR { throw SystemError.last(doing) }
        }
    }
}
