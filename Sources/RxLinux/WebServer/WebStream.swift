import CMicroHTTPD
import RxEngine

// Unchecked: the lock guards all mutable state, and libmicrohttpd allows resuming a connection on any thread.
/// A response that is sent piece by piece, until it is ended, or the client closes the connection.
public final class WebStream: @unchecked Sendable {
    /// How many bytes may wait for the client before no more are taken.
    private static let maximumWaiting = 256 << 10

    private let lock = Lock()
    // The lock guards the variables below.
    /// The connection, while it is suspended since nothing waits for it.
    private var suspended: OpaquePointer?
    private var waiting: [UInt8] = []
    /// Whether nothing more is sent.
    private var isEnded = false
    /// Whether the connection is closed.
    private var isClosed = false
    private var onEnd: (@Sendable () -> Void)?

    /// Sets what is called once when the connection is closed, also if it is already.
    public func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let isOver = lock.locked {
            if !isClosed { onEnd = body }
            return isClosed
        }
        if isOver { body() }
    }

    /// Queues bytes for the client. Can be called on any thread, and does not block.
    ///
    /// - Returns: whether they were taken; `false` if too many wait already, or the stream has ended.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        lock.locked {
            // The size of the piece does not matter: a large one would be refused as long as small ones keep coming.
            guard !isEnded, waiting.count <= Self.maximumWaiting else { return false }
            waiting += bytes
            resume()
            return true
        }
    }

    /// Closes the connection when everything was sent. Can be called on any thread.
    public func end() {
        lock.locked {
            isEnded = true
            resume()
        }
    }

    /// Resumes the suspended connection. Called under the lock.
    ///
    /// The suspension is under the lock, too: a stop of the server must not come between the two.
    private func resume() {
        if let connection = suspended.take() { MHD_resume_connection(connection) }
    }

    // MARK: - Called by libmicrohttpd

    /// Copies waiting bytes; suspends the connection if there are none.
    ///
    /// - Returns: the number of bytes; -1 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, of connection: OpaquePointer) -> Int {
        lock.locked {
            if waiting.isEmpty {
                if isEnded { return -1 }
                MHD_suspend_connection(connection)
                suspended = connection
                return 0
            }
            let count = min(buffer.count, waiting.count)
            buffer.copyBytes(from: waiting[..<count])
            waiting.removeFirst(count)
            return count
        }
    }

    /// Releases everything after the connection was closed.
    func ended() {
        let body = lock.locked {
            (isEnded, isClosed, waiting) = (true, true, [])
            return onEnd.take()
        }
        body?()
    }
}
