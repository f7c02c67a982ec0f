import CLinux
import Dispatch
import Glibc
import RxEngine

// Unchecked: the lock guards the phase; all else is used only on the queue, except the socket, which the thread that
// answers may write to until the phase is `closed`.
/// A connection to a ``LocalServer``, which receives a line and sends one answer, without blocking.
///
/// ```
/// reading ──line──▶ processing ──answer──▶ sending ──all sent──▶ closed
///    │                   └──▶ streaming ──▶──┘                     ▲
///    └─ transferTimeout ─┴─ answerTimeout ─────┴─ transferTimeout ──┘
/// ```
///
/// A stream has no answer: it sends lines until the client closes the connection or the server ends it.
final class LocalConnection: @unchecked Sendable {
    /// How far the connection has got with its one request.
    private enum Phase { case reading, processing, streaming, sending, closed }

    /// The most bytes of a stream that wait for the client.
    private static let maximumWaiting = 256 << 10

    let peer: LocalRequest.Peer
    private let socket: Int32
    private let limits: LocalServer.Limits
    private let queue: DispatchQueue
    private let onLine: @Sendable ([UInt8]) -> Void
    private let onEnd: @Sendable () -> Void
    private let alarm: OneShotTimer
    private let lock = Lock()
    private var phase = Phase.reading
    /// Owns the socket.
    private var readable: ReadableDescriptor?
    private var writable: WritableDescriptor?
    private var line: [UInt8] = []
    private var answer: ArraySlice<UInt8> = []
    /// The bytes of a stream that are not in ``answer`` yet. Guarded by the lock.
    private var waiting: [UInt8] = []
    /// The number of bytes of a stream that are not sent. Guarded by the lock.
    private var waitingCount = 0
    private var onStreamEnd: (@Sendable () -> Void)?

    init(
        _ socket: Int32, _ peer: LocalRequest.Peer, _ limits: LocalServer.Limits, on queue: DispatchQueue,
        onLine: @escaping @Sendable ([UInt8]) -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
        self.socket = socket
        self.peer = peer
        self.limits = limits
        self.queue = queue
        self.onLine = onLine
        self.onEnd = onEnd
        alarm = OneShotTimer(on: queue)
    }

    // MARK: receiving the line

    /// Starts reading the line, which has mostly arrived already. Called on the queue.
    func read() {
        readable = ReadableDescriptor(socket, repeats: false, on: queue) { self.readMore() }
        alarm.set(after: limits.transferTimeout) { self.end() }
        readMore()
    }

    private func readMore() {
        let phase = lock.locked { () -> Phase in self.phase }
        if phase == .streaming || phase == .sending { return noteClosing() }
        guard phase == .reading else { return }
        var block = [UInt8](repeating: 0, count: 4096)
        // A few blocks at a time, so that other connections on the queue can run.
        for _ in 0..<4 {
            let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            if count < 0 { return end() }
            if let end = block[..<count].firstIndex(of: UInt8(ascii: "\n")) { return received(line + block[..<end]) }
            line += block[..<count]
            if count == 0 { return line.isEmpty ? end() : received(line) }
            if line.count > limits.lineLength { return end() }
        }
        readable?.waitAgain()
    }

    private func received(_ text: [UInt8]) {
        line = []
        lock.locked { phase = .processing }
        // Only in the phase `processing`: sending the answer has a time limit of its own.
        alarm.set(after: limits.answerTimeout) { self.end(from: .processing) }
        onLine(text)
    }

    /// Whether the client of a request that is being processed has gone. Can be called on any thread.
    ///
    /// A client that only sends nothing more still waits for the answer.
    var isAbandoned: Bool {
        lock.locked {
            // The socket is open in this phase.
            guard phase == .processing else { return false }
            var descriptor = pollfd(fd: socket, events: 0, revents: 0)
            return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLHUP) != 0
        }
    }

    /// Ends the connection if it has not sent its line, or is a stream. Called on the queue.
    func endUnlessAnswering() {
        end(from: .reading)
        end(from: .streaming)
    }

    /// Ends the connection if it has not sent its line. Called on the queue.
    func endIfReading() {
        end(from: .reading)
    }

    // MARK: sending the answer

    /// Sends the answer and closes the connection. Only the first call has an effect. Can be called on any thread.
    func answer(_ bytes: [UInt8]) {
        let isFirst = lock.locked {
            guard phase == .processing else { return false }
            phase = .sending
            return true
        }
        guard isFirst else { return }
        // Send as much as possible at once, on this thread: the process may be about to exit.
        let rest = sent(bytes[...])
        queue.async { [self] in
            guard let rest, !rest.isEmpty, let copy = try? Descriptor.duplicate(socket) else { return end() }
            answer = rest
            lock.locked { waitingCount = rest.count }
            writable = WritableDescriptor(copy.release(), on: queue) { self.sendWaiting() }
            alarm.set(after: limits.transferTimeout) { self.end() }
        }
    }

    // MARK: sending a stream

    /// Begins a stream in place of the answer.
    ///
    /// - Returns: whether the connection is open and was not answered.
    func beginStream(onEnd: @escaping @Sendable () -> Void) -> Bool {
        let begins = lock.locked {
            guard phase == .processing else { return false }
            phase = .streaming
            onStreamEnd = onEnd
            return true
        }
        guard begins else { return false }
        queue.async { [self] in
            alarm.cancel()
            guard lock.locked({ phase == .streaming || phase == .sending }),
                let copy = try? Descriptor.duplicate(socket)
            else {
                return end()
            }
            writable = WritableDescriptor(copy.release(), on: queue) { self.sendWaiting() }
            noteClosing()
            sendWaiting()
        }
        return true
    }

    /// Ends a stream whose client has closed the connection. What it sends is ignored.
    private func noteClosing() {
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return end() }
        readable?.waitAgain()
    }

    /// Queues a line of a stream. Can be called on any thread.
    ///
    /// - Returns: `false` if the client does not read, and the line is dropped.
    func send(_ bytes: [UInt8]) -> Bool {
        let (isTaken, isFirst) = lock.locked { () -> (Bool, Bool) in
            guard phase == .streaming, waitingCount + bytes.count <= Self.maximumWaiting else { return (false, false) }
            defer {
                waiting += bytes
                waitingCount += bytes.count
            }
            return (true, waitingCount == 0)
        }
        if isFirst { queue.async { self.sendWaiting() } }
        return isTaken
    }

    private func sendWaiting() {
        while true {
            if answer.isEmpty {
                let next = lock.locked { () -> ArraySlice<UInt8>? in
                    guard phase == .streaming || phase == .sending else { return nil }
                    defer { waiting = [] }
                    return waiting[...]
                }
                guard let next else { return }
                answer = next
            }
            if answer.isEmpty { return lock.locked({ phase == .sending }) ? end() : () }
            let before = answer.count
            guard let rest = sent(answer) else { return end() }
            answer = rest
            lock.locked { waitingCount -= before - rest.count }
            if !rest.isEmpty { return writable.map { $0.waitAgain() } ?? () }
        }
    }

    /// Ends a stream when everything was sent. Can be called on any thread.
    func endStream() {
        let begins = lock.locked {
            guard phase == .streaming else { return false }
            phase = .sending
            return true
        }
        guard begins else { return }
        queue.async { [self] in
            alarm.set(after: limits.transferTimeout) { self.end() }
            sendWaiting()
        }
    }

    /// Sends as much as the socket accepts without blocking.
    ///
    /// - Returns: the rest; `nil` if the other side has closed.
    private func sent(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN ? rest : nil }
            rest = rest.dropFirst(count)
        }
        return rest
    }

    // MARK: closing

    /// Closes the connection of a request that was released without an answer. Can be called on any thread.
    func close() {
        answer([])
    }

    /// Closes the connection, only in the phase `expected` if that is not `nil`. Called on the queue.
    private func end(from expected: Phase? = nil) {
        let isOpen = lock.locked {
            guard phase != .closed, expected == nil || expected == phase else { return false }
            phase = .closed
            return true
        }
        guard isOpen else { return }
        alarm.cancel()
        writable.take()?.dispose()
        readable.take()?.dispose()
        onEnd()
        lock.locked { onStreamEnd.take() }?()
    }
}
