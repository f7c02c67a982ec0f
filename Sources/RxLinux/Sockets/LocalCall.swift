import Glibc

/// The other side of ``LocalServer``.
public enum LocalCall {
    /// Asks at the unix socket at `path`, and waits for the whole answer.
    ///
    /// Fails with the ``SystemError`` of what went wrong, `ETIMEDOUT` where the answer takes longer than `deadline`.
    public static func ask(_ line: [UInt8], at path: String, within deadline: Duration) throws(SystemError) -> [UInt8] {
        let doing = "asking at \(path)"
        let end = ContinuousClock.now + deadline
        let socket = try SocketAddress(unix: path).beginConnecting(doing)
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
