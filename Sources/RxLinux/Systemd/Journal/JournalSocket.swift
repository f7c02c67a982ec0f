import CLinux
import Glibc

/// The client's end of journald's socket, which never blocks.
struct JournalSocket: ~Copyable {
    /// The result of sending a record.
    enum Outcome: Sendable, Equatable {
        case sent
        /// The socket is full, because journald is slow.
        case full
        /// The record needs a file in memory, and journald has not read enough of the earlier ones.
        case unread
        /// journald does not run, or this process lacks a resource: a later attempt may succeed.
        case unreachable(SystemError)
        /// No further attempt will succeed.
        case refused(SystemError)
    }

    /// The most bytes in files that journald has not read; a single file may have more. Files are in no queue of ours, and
    /// the kernel bounds their number only.
    private static let mostUnread = 4 << 20

    private let path: String
    private var socket: Descriptor?
    /// The socket's file at the path when the socket was connected; known while there is a connection.
    private var server: ServerFile?
    private let serverFile: @Sendable (_ path: String) throws(SystemError) -> ServerFile
    /// The bytes of the files that were sent since journald had last read everything.
    private var unread = 0
    private static let doing = "writing to the journal"

    private static func connecting(to path: String) -> String { "connecting to journald at \(path)" }

    /// The file of a socket at a path. An inode's number alone may occur in another file system, too.
    struct ServerFile: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64

        /// - Returns: the file at the path now.
        static func current(at path: String) throws(SystemError) -> ServerFile {
            var status = stat()
            guard stat(path, &status) == 0 else { throw SystemError(errno, JournalSocket.connecting(to: path)) }
            return ServerFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        }
    }

    /// The result of one attempt to send a record.
    private enum Transmission {
        case sent
        /// The record needs a file, and too much of the earlier ones is unread.
        case unread
        /// The kernel has refused the record with this `errno`.
        case failed(Int32)
    }

    /// - Parameters:
    ///   - path: the path of journald's socket.
    ///   - serverFile: returns the file at the path.
    init(
        path: String,
        serverFile: @escaping @Sendable (_ path: String) throws(SystemError) -> ServerFile = ServerFile.current
    ) {
        (self.path, self.serverFile) = (path, serverFile)
    }

    private var number: Int32? {
        switch socket {
        case .some(let socket): socket.number
        case .none: nil
        }
    }

    /// Returns a duplicate of the descriptor, to wait with; `nil` if there is none.
    func duplicate() -> Int32? {
        guard let number, let other = try? Descriptor.duplicate(number) else { return nil }
        return other.release()
    }

    /// Waits for room in journald's socket.
    func hasRoom(within deadline: Duration) -> Bool {
        guard let number else { return false }
        var room = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&room, 1, Int32(deadline / .milliseconds(1))) > 0
    }

    /// Closes the connection; the next record opens a new one.
    private mutating func disconnect() {
        socket = nil
        server = nil
        unread = 0
    }

    /// Closes the connection if another journald listens at the path, or none. What a hung one has not read still counts.
    mutating func disconnectIfReplaced() {
        guard let server else { return }
        do throws(SystemError) {
            if try serverFile(path) != server { disconnect() }
        } catch {
            // Another error says nothing about the file: a new connection to the same journald would forget what it has
            // not read.
            if [ENOENT, ENOTDIR].contains(error.number) { disconnect() }
        }
    }

    /// Sends a record without blocking.
    mutating func send(_ bytes: [UInt8]) -> Outcome {
        var hasReconnected = socket == nil
        while true {
            do throws(SystemError) {
                try connect()
            } catch {
                return .unreachable(error)
            }
            let number: Int32
            switch transmit(bytes) {
            case .sent: return .sent
            case .unread: return .unread
            case .failed(let error): number = error
            }
            switch number {
            case EINTR: continue
            case EAGAIN: return .full
            case ECONNREFUSED, ECONNRESET, ENOTCONN, EPIPE, ENOENT:
                // A restarted journald listens on a new socket.
                disconnect()
                if hasReconnected { return .unreachable(SystemError(number, Self.doing)) }
                hasReconnected = true
            case ENOBUFS, ENOMEM, EMFILE, ENFILE, ETOOMANYREFS:
                return .unreachable(SystemError(number, Self.doing))
            default: return .refused(SystemError(number, Self.doing))
            }
        }
    }

    private mutating func connect() throws(SystemError) {
        guard socket == nil else { return }
        let doing = Self.connecting(to: path)
        let before = try serverFile(path)
        let made = try SocketAddress(unix: path).beginConnecting(doing, type: rx_socket_datagram)
        // The kernel grants as much as an administrator allows; larger records are sent as a file in memory.
        var size: Int32 = 8 << 20
        setsockopt(made.number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        // Without the file, nothing would show later whether another journald listens, and a connection that is made anew
        // each time would leave the unread files unbounded.
        guard try serverFile(path) == before else { throw SystemError(EAGAIN, doing) }
        server = before
        socket = consume made
    }

    private mutating func transmit(_ bytes: [UInt8]) -> Transmission {
        guard let socket = number else { return .failed(ENOTCONN) }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        if bytes.withUnsafeBytes({ Glibc.send(socket, $0.baseAddress, $0.count, flags) }) >= 0 { return .sent }
        guard errno == EMSGSIZE else { return .failed(errno) }
        var waiting: Int32 = 0
        if ioctl(socket, UInt(TIOCOUTQ), &waiting) == 0, waiting == 0 { unread = 0 }
        guard unread == 0 || unread + bytes.count <= Self.mostUnread else { return .unread }
        do throws(SystemError) {
            let file = try Descriptor.memory("journal-record", bytes)
            guard rx_send_descriptor(socket, file.number) >= 0 else { return .failed(errno) }
            unread += bytes.count
            return .sent
        } catch {
            return .failed(error.number)
        }
    }
}
