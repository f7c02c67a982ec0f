import CLinux
import Glibc

/// Sends and receives requests and answers on a stream socket, each preceded by its length.
struct WorkerFrames {
    private let socket: Int32
    /// The time at which sending and receiving fail; `nil` for never.
    private let deadline: SuspendingClock.Instant?

    init(_ socket: Int32, _ deadline: SuspendingClock.Instant? = nil) {
        self.socket = socket
        self.deadline = deadline
    }

    func send(_ frame: [UInt8]) throws(WorkerError) {
        let count = UInt32(clamping: frame.count)
        try write((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) })
        try write(frame)
    }

    /// Receives the next frame; throws if it has more than `limit` bytes.
    func receive(limit: Int) throws(WorkerError) -> [UInt8] {
        let count = try read(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= limit else { throw .tooLong(count) }
        return try read(count)
    }

    /// Waits for the next frame to begin, or for the other side to close.
    ///
    /// - Returns: `false` if neither happens before this time.
    func waitForAnswer(until time: SuspendingClock.Instant) throws(WorkerError) -> Bool {
        try poll(for: POLLIN, until: time)
    }

    private func write(_ bytes: [UInt8]) throws(WorkerError) {
        var done = 0
        while done < bytes.count {
            try wait(for: POLLOUT)
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    Int32(MSG_NOSIGNAL | (deadline == nil ? 0 : MSG_DONTWAIT)))
            }
            done += try progress(count, "writing to a worker")
        }
    }

    private func read(_ count: Int) throws(WorkerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            try wait(for: POLLIN)
            let received = bytes.withUnsafeMutableBytes { buffer in
                recv(socket, buffer.baseAddress.map { $0 + done }, buffer.count - done, 0)
            }
            // The other side has closed after reading everything that was sent; otherwise the connection is reset.
            if received == 0 { throw .exit(0) }
            done += try progress(received, "reading from a worker")
        }
        return bytes
    }

    private func progress(_ count: Int, _ doing: String) throws(WorkerError) -> Int {
        if count >= 0 { return count }
        switch errno {
        case EINTR, EAGAIN: return 0
        case EPIPE, ECONNRESET: throw .unread
        default: throw .system(.last(doing))
        }
    }

    private func wait(for events: Int32) throws(WorkerError) {
        guard let deadline else { return }
        guard try poll(for: events, until: deadline) else { throw .timeout }
    }

    /// Returns `false` if none of the events happens before this time.
    private func poll(for events: Int32, until time: SuspendingClock.Instant) throws(WorkerError) -> Bool {
        var polled = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let left = SuspendingClock.now.duration(to: time)
            guard left > .zero else { return false }
            let count = Glibc.poll(&polled, 1, Int32(clamping: Int(left / .milliseconds(1)) + 1))
            if count > 0 { return true }
            if count < 0, errno != EINTR { throw .system(.last("waiting for a worker")) }
        }
    }
}
