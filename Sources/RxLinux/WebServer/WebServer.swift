import CMicroHTTPD
import Glibc
import RxEngine

// Unchecked: the lock guards all mutable state; the pointers are those of libmicrohttpd, which any thread may use.
/// A server of read-only pages over HTTP, with libmicrohttpd.
///
/// It answers GET and HEAD, and reads no body of a request. One thread serves all connections and calls the closure, which
/// must not block. Connections are limited in number and in the time for which they do nothing. If many wait, for the rest
/// of a request or for a client that does not read, a further one ends the oldest of them.
public final class WebServer: Disposable, @unchecked Sendable {
    /// Who can connect to a server.
    public enum AllowedClients: Sendable {
        /// The users who may open the unix socket.
        case socket
        /// All users of this host.
        case host
        /// Other hosts, too.
        case network
    }

    /// The most connections at once.
    private static let maximumConnections: UInt32 = 64
    /// The most connections without a stream. A further one ends the oldest, so that no client can use up all.
    private static let maximumWithoutStream = 32
    /// The seconds for which a connection may do nothing.
    private static let timeout: UInt32 = 15
    /// The bytes of memory for the head of a request.
    private static let memory = 16 << 10

    /// Who can connect.
    public let allowedClients: AllowedClients
    private let answer: @Sendable (WebRequest) -> WebAnswer
    private let lock = Lock()
    // The lock guards the variables below.
    private var daemon: OpaquePointer?
    private var streams: [ObjectIdentifier: WebStream] = [:]
    /// The connections without a stream, by their numbers, which grow.
    private var waiting: [OpaquePointer: Int] = [:]
    private var lastNumber = 0
    private var isDisposed = false
    /// The path of the unix socket, to remove at the end.
    private let path: String?

    /// Starts serving.
    ///
    /// - Parameters:
    ///   - address: where to listen.
    ///   - answer: returns the answer to a request, on the server's thread.
    public init(
        at address: WebAddress, answer: @escaping @Sendable (WebRequest) -> WebAnswer
    ) throws(SystemError) {
        if case .unix(let path) = address { self.path = path } else { path = nil }
        self.answer = answer
        let listener = try address.listen()
        allowedClients = Self.allowedClients(of: listener.number)
        // libmicrohttpd closes this descriptor. A socket of the service manager stays open: this is a duplicate.
        let number = listener.release()
        let identity = Self.identity(of: number)
        daemon = rx_mhd_start(
            number, Self.maximumConnections, Self.timeout, Self.memory, Self.handle, Self.completed,
            Self.connectionHasChanged, Unmanaged.passUnretained(self).toOpaque())
        guard daemon == nil else { return }
        let error = SystemError.last("serving at \(address)")
        // Whether it has closed the descriptor depends on how far it has come.
        if Self.identity(of: number) == identity { close(number) }
        throw error
    }

    private static func identity(of descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func allowedClients(of listener: Int32) -> AllowedClients {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            let status = bytes.withMemoryRebound(to: sockaddr.self) { getsockname(listener, $0.baseAddress, &size) }
            guard status == 0 else { return .network }
            switch Int32(bytes.load(as: sa_family_t.self)) {
            case AF_UNIX: return .socket
            // 127.0.0.0/8 and ::1.
            case AF_INET: return bytes[4] == 127 ? .host : .network
            case AF_INET6: return bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1 ? .host : .network
            default: return .network
            }
        }
    }

    deinit {
        dispose()
    }

    /// Ends all connections, and waits for the server's thread. Not to be called on that thread.
    public func dispose() {
        let (daemon, streams) = lock.locked {
            isDisposed = true
            return (self.daemon.take(), Array(self.streams.values))
        }
        for stream in streams { stream.end() }
        guard let daemon else { return }
        MHD_stop_daemon(daemon)
        if let path { unlink(path) }
    }

    // MARK: - Called by libmicrohttpd

    private static let handle: MHD_AccessHandlerCallback = { context, connection, url, method, _, _, size, request in
        guard let context, let connection, let size, let request, let url, let method else { return rx_mhd_no }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        if !["GET", "HEAD"].contains(String(cString: method)) {
            return server.send(.response(status: 405, fields: [("Allow", "GET, HEAD")]), connection)
        }
        // The first call for a request is made before its head is complete, and further ones with parts of a body.
        guard request.pointee != nil, size.pointee == 0 else {
            request.pointee = UnsafeMutableRawPointer(bitPattern: 1)
            size.pointee = 0
            return rx_mhd_yes
        }
        return server.handle(connection, String(cString: url))
    }

    private static let completed: MHD_RequestCompletedCallback = { context, connection, request, _ in
        request?.pointee = nil
        guard let context, let connection else { return }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        // Also that of a stream: the client may have asked for its head only.
        server.lock.locked { server.add(connection) }
    }

    private static let connectionHasChanged: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        if rx_mhd_has_begun(code) != 0 {
            // The server's thread, which this is, closes the connection when it sees its end.
            if let oldest = server.began(connection) { shutdown(rx_mhd_descriptor(oldest), Int32(SHUT_RDWR)) }
        } else {
            _ = server.lock.locked { server.waiting.removeValue(forKey: connection) }
        }
    }

    /// Adds a connection.
    ///
    /// - Returns: the connection that is ended in its place, if there are too many.
    private func began(_ connection: OpaquePointer) -> OpaquePointer? {
        lock.locked {
            add(connection)
            guard waiting.count > Self.maximumWithoutStream, let oldest = waiting.min(by: { $0.value < $1.value })
            else {
                return nil
            }
            waiting[oldest.key] = nil
            return oldest.key
        }
    }

    /// Adds a connection to those without a stream. Called under the lock.
    private func add(_ connection: OpaquePointer) {
        guard waiting[connection] == nil else { return }
        lastNumber += 1
        waiting[connection] = lastNumber
    }

    private func handle(_ connection: OpaquePointer, _ path: String) -> MHD_Result {
        let host = Self.field("Host", connection)
        let request = WebRequest(
            path: path, host: host, accept: Self.field("Accept", connection) ?? "",
            isForThisHost: allowedClients == .socket || host.map(Self.isAddress) ?? false)
        return send(answer(request), connection)
    }

    private static func field(_ name: String, _ connection: OpaquePointer) -> String? {
        rx_mhd_field(connection, name).map { String(cString: $0) }
    }

    /// Whether a host is a numeric address or `localhost`, with or without a port.
    static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.contains("]") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || WebAddress("\(name):1") != nil
    }

    private func send(_ answer: WebAnswer, _ connection: OpaquePointer) -> MHD_Result {
        let (status, fields, response): (Int, [(name: String, value: String)], OpaquePointer?)
        switch answer {
        case .response(let code, let headers, let body):
            (status, fields) = (code, headers)
            response = body.withUnsafeBytes { rx_mhd_response($0.baseAddress, $0.count) }
        case .stream(let headers, let begin):
            (status, fields) = (200, headers)
            response = makeStream(begin, connection)
        }
        guard let response else { return rx_mhd_no }
        defer { MHD_destroy_response(response) }
        for field in fields { MHD_add_response_header(response, field.name, field.value) }
        return MHD_queue_response(connection, UInt32(status), response)
    }

    // MARK: - Streams

    /// The context of a stream, which libmicrohttpd holds and releases with the response.
    private final class Context {
        let stream: WebStream
        let connection: OpaquePointer
        weak let server: WebServer?

        init(_ stream: WebStream, _ connection: OpaquePointer, _ server: WebServer) {
            (self.stream, self.connection, self.server) = (stream, connection, server)
        }
    }

    private func makeStream(_ begin: @Sendable (WebStream) -> Void, _ connection: OpaquePointer) -> OpaquePointer? {
        let stream = WebStream()
        let isAdded = lock.locked {
            if !isDisposed {
                streams[ObjectIdentifier(stream)] = stream
                waiting[connection] = nil
            }
            return !isDisposed
        }
        guard isAdded else { return nil }
        let context = Unmanaged.passRetained(Context(stream, connection, self))
        let response = MHD_create_response_from_callback(
            UInt64.max, 16 << 10,
            { context, _, buffer, size in
                guard let context, let buffer else { return -1 }
                let stream = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
                return stream.stream.read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: size), of: stream.connection)
            }, context.toOpaque(),
            { context in
                guard let context else { return }
                let ended = Unmanaged<Context>.fromOpaque(context).takeRetainedValue()
                ended.server?.remove(ended.stream)
                ended.stream.ended()
            })
        if response == nil {
            context.release()
            remove(stream)
        } else {
            begin(stream)
        }
        return response
    }

    private func remove(_ stream: WebStream) {
        _ = lock.locked { streams.removeValue(forKey: ObjectIdentifier(stream)) }
    }
}
