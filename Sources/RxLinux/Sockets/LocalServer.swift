import CLinux
import Dispatch
import Glibc
import RxEngine

/// A server on a unix socket for programs of this machine. Each connection sends one line and gets one answer.
public enum LocalServer {
    /// The limits on the connections of a server.
    public struct Limits: Sendable {
        /// The time for sending a whole line, and for sending a whole answer; default: 10 s.
        public var transferTimeout: Duration = .seconds(10)
        /// The time for a handler's answer; default: 120 s.
        public var answerTimeout: Duration = .seconds(120)
        /// The most connections of one user at a time; default: 128.
        ///
        /// A further one ends the oldest that has not sent its line; if all have, the new one is closed.
        public var connectionsPerUser = 128
        /// The most bytes of a line; default: 64 KiB.
        public var lineLength = 64 * 1024

        /// Creates the default limits.
        public init() {}
    }

    /// Listens at the unix socket at `path` and emits each request on `queue`.
    ///
    /// The subscription creates the socket, and its end removes it. A socket that a dead process has left is replaced;
    /// a socket at which a process listens, or a file of another kind, is not, and the sequence fails. A slow
    /// connection does not delay others. The sequence never completes; it fails with a ``SystemError`` if the socket
    /// cannot be made.
    ///
    /// - Parameters:
    ///   - path: the path of the socket.
    ///   - mode: the permissions of the socket, which decide who may connect.
    ///   - limits: the limits on the connections.
    ///   - queue: the serial queue that emits the requests.
    ///   - refusal: returns the answer to a client whose request is not to be read, or `nil` to read it.
    ///   - whenListening: called when the socket is ready for connections.
    /// - Returns: an observable of the requests. A request that is released without an answer closes its connection.
    public static func requests(
        at path: String, mode: mode_t = 0o600, limits: Limits = Limits(), on queue: DispatchQueue,
        refusal: @escaping @Sendable (LocalRequest.Peer) -> [UInt8]? = { _ in nil },
        whenListening: @escaping @Sendable () -> Void = {}
    ) -> Observable<LocalRequest> {
        .create { observer in
            do {
                let listener = try listen(at: path, mode)
                let acceptor = LocalAcceptor(limits, refusal: refusal) { request in
                    queue.async { observer.onNext(request) }
                }
                let waiting = ReadableDescriptor(listener, on: acceptor.queue) { acceptor.accept(from: listener) }
                whenListening()
                return Disposables.create {
                    waiting.dispose()
                    acceptor.close()
                    unlink(path)
                }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    static func listen(at path: String, _ mode: mode_t) throws(SystemError) -> Int32 {
        let doing = "listening at \(path)"
        let address = try SocketAddress(unix: path)
        if isAnswered(address) { throw SystemError(EADDRINUSE, doing) }
        removeSocket(at: path)
        let flags = rx_socket_nonblock | rx_socket_cloexec
        let socket = try Descriptor(Glibc.socket(AF_UNIX, rx_socket_stream | flags, 0), doing)
        // The socket's file gets the descriptor's permissions without those in the umask, so that no other user can
        // connect even before `chmod`.
        guard fchmod(socket.number, mode) == 0, address.bind(socket.number) == 0, chmod(path, mode) == 0,
            Glibc.listen(socket.number, SOMAXCONN) == 0
        else {
            throw SystemError.last(doing)
        }
        return socket.release()
    }

    /// Removes the socket at `path` unless a server listens at it.
    public static func removeUnanswered(at path: String) {
        guard let address = try? SocketAddress(unix: path), !isAnswered(address) else { return }
        removeSocket(at: path)
    }

    /// Whether a server listens at `path`.
    public static func isAnswered(at path: String) -> Bool {
        (try? SocketAddress(unix: path)).map(isAnswered) ?? false
    }

    /// Removes the file at `path` only if it is a socket; a symbolic link could lead to the socket of another program.
    private static func removeSocket(at path: String) {
        var found = stat()
        if lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
    }

    private static func isAnswered(_ address: SocketAddress) -> Bool {
        let doing = "checking whether a process listens"
        do throws(SystemError) {
            let socket = try address.beginConnecting(doing)
            try SocketAddress.finishConnecting(socket.number, doing)
            return true
        } catch {
            // EAGAIN means that the backlog is full, so a process is listening. One that this process may not connect to
            // is not known to be gone.
            return [EAGAIN, EACCES].contains(error.number)
        }
    }
}
