import CLinux
import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// A server at a unix socket, and requests as bytes.
@Suite(.balanced) struct WebServerTests {
    private let folder = TemporaryDirectory()
    private var path: String { folder("web") }

    /// A connection to the server.
    private final class Client {
        private let socket: Int32
        private(set) var bytes: [UInt8] = []

        init(_ path: String, _ request: String) throws {
            let descriptor = try SocketAddress(unix: path).beginConnecting("connecting")
            socket = descriptor.release()
            send(request)
        }

        deinit { close(socket) }

        func send(_ text: String) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if count < 0, errno != EAGAIN { return }
                rest = rest.dropFirst(max(0, count))
            }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Reads what has arrived.
        ///
        /// - Returns: whether the server has closed the connection.
        @discardableResult
        func read() -> Bool {
            var block = [UInt8](repeating: 0, count: 65536)
            let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
            if count > 0 { bytes += block[..<count] }
            return count == 0 || count < 0 && errno != EAGAIN
        }

        /// The whole answer, when the server has closed the connection.
        func answer() async throws -> String {
            try await eventually("the server closes the connection") { self.read() }
            return text
        }
    }

    private func get(_ path: String = "/", _ fields: String = "", method: String = "GET") async throws -> String {
        try await Client(self.path, "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n").answer()
    }

    @Test func requestsAreAnswered() async throws {
        let server = try WebServer(at: .unix(path)) { request in
            .response(
                status: request.path == "/" ? 200 : 404, fields: [("X-Own", "1")],
                body: Array("\(request.path) \(request.host ?? "-") \(request.accept) \(request.isForThisHost)".utf8))
        }
        let answer = try await get("/", "Host: a\r\nAccept: b\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\r\nX-Own: 1\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n/ a b true"))
        #expect(try await get("/x?y=1", "Host: a\r\n").hasSuffix("\r\n\r\n/x a  true"))
        #expect(try await get("/", "Host: a\r\n", method: "HEAD").hasSuffix("\r\n\r\n"))
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "X"] {
            let refusal = try await get("/", "Host: a\r\nContent-Length: 3\r\n\r\nabc", method: method)
            #expect(refusal.hasPrefix("HTTP/1.1 405 ") && refusal.contains("\r\nAllow: GET, HEAD\r\n"), "\(refusal)")
        }
        // A body is read, and ignored.
        #expect(try await get("/", "Host: a\r\nContent-Length: 3\r\n\r\nabc").contains("/ a  true"))
        server.dispose()
        #expect(access(path, F_OK) != 0)
        server.dispose()
    }

    /// Over TCP, the name of the host decides whether another site may have led a browser here.
    @Test(arguments: [
        ("127.0.0.1:9476", true), ("localhost", true), ("localhost:80", true), ("[::1]:9476", true), ("10.1.2.3", true),
        ("evil.example", false), ("evil.example:9476", false), ("localhost.evil.example", false), ("", false),
        ("127.0.0.1.evil.example", false),
    ])
    func namesOfOtherHostsAreKnown(host: String, isOwn: Bool) {
        #expect(WebServer.isAddress(host) == isOwn)
    }

    @Test func malformedRequestsDoNotMatter() async throws {
        let server = try WebServer(at: .unix(path)) { _ in .response(status: 200) }
        for garbage in [
            "\0\0\0", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n",
            "GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: 100_000))",
            "GET /\(String(repeating: "y", count: 100_000)) HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\nHost: a\r\n\r\n",
        ] {
            _ = try Client(path, garbage)
            #expect(try await get("/", "Host: a\r\n").hasPrefix("HTTP/1.1 200 OK"))
        }
        server.dispose()
    }

    /// However many connections send parts of requests, or do not read, others are answered, and streams stay open.
    @Test func silentClientsDoNotMatter() async throws {
        let streams = Cell<[WebStream]>([])
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
        let server = try WebServer(at: .unix(path)) { request in
            switch request.path {
            case "/stream": .stream { stream in streams.append(stream) }
            case "/large": .response(status: 200, body: large)
            default: .response(status: 200)
            }
        }
        let follower = try Client(path, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually("the stream is open") { streams.value.count == 1 }
        var silent: [Client] = []
        for round in 0..<100 {
            silent.append(
                try Client(path, round % 2 == 0 ? "GET / HTTP/1.1\r\n" : "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"))
            if round % 10 == 9 {
                #expect(try await get("/", "Host: a\r\n").hasPrefix("HTTP/1.1 200 OK"))
                for client in silent { client.send("A: b\r\n") }
            }
        }
        #expect(!follower.read())
        streams.update { $0 = [] }
        server.dispose()
    }

    @Test func streamIsSentPieceByPiece() async throws {
        let (streams, ends) = (Cell<[WebStream]>([]), Cell(0))
        let server = try WebServer(at: .unix(path)) { _ in
            .stream(fields: [("Content-Type", "text/plain")]) { stream in
                stream.whenEnded { ends.update { $0 += 1 } }
                streams.append(stream)
            }
        }
        let client = try Client(path, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually("the stream begins") { streams.value.count == 1 }
        let stream = try #require(streams.value.first)
        for piece in ["one", "two", "three"] {
            #expect(stream.send(Array(piece.utf8)))
            try await eventually("\(piece) arrives") {
                client.read()
                return client.text.contains(piece)
            }
        }
        stream.end()
        #expect(!stream.send([1]))
        // The end of a body in chunks.
        try await eventually("the stream ends") {
            client.read()
            return client.text.hasSuffix("\r\n0\r\n\r\n")
        }
        try await eventually("the end is reported") { ends.value == 1 }
        stream.whenEnded { ends.update { $0 += 10 } }
        #expect(ends.value == 11)

        // A client that goes away, which the next bytes show.
        var other: Client? = try Client(path, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually("the stream begins") { streams.value.count == 2 }
        other?.read()
        other = nil
        try await eventually("the end is reported") {
            streams.value.last?.send([1])
            return ends.value == 12
        }
        streams.update { $0 = [] }
        server.dispose()
    }

    /// A client that does not read loses bytes, and costs nobody time.
    @Test func slowClientLosesBytes() async throws {
        let streams = Cell<[WebStream]>([])
        let server = try WebServer(at: .unix(path)) { request in
            request.path == "/" ? .response(status: 200) : .stream { streams.append($0) }
        }
        let client = try Client(path, "GET /s HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually("the stream begins") { streams.value.count == 1 }
        let stream = try #require(streams.value.first)
        #expect(stream.send([UInt8](repeating: 7, count: 1 << 20)))
        try await eventually("bytes are refused") { !stream.send([UInt8](repeating: 7, count: 10_000)) }
        #expect(try await get("/", "Host: a\r\n").hasPrefix("HTTP/1.1 200 OK"))
        try await eventually("there is room again") {
            client.read()
            return stream.send([8])
        }
        // A stop does not wait for it.
        streams.update { $0 = [] }
        server.dispose()
    }

    /// Otherwise small pieces that keep coming would keep a large one out.
    @Test func sizeOfPieceDoesNotMatter() {
        let stream = WebStream()
        let taken = [1, 300 << 10, 1].map { stream.send([UInt8](repeating: 7, count: $0)) }
        #expect(taken == [true, true, false])
    }

    @Test func stopEndsStreams() async throws {
        let (streams, ends) = (Cell<[WebStream]>([]), Cell(0))
        let server = try WebServer(at: .unix(path)) { _ in
            .stream { stream in
                stream.whenEnded { ends.update { $0 += 1 } }
                streams.append(stream)
            }
        }
        let clients = try (0..<10).map { _ in try Client(path, "GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        try await eventually("the streams begin") { streams.value.count == 10 }
        server.dispose()
        #expect(ends.value == 10)
        for client in clients { _ = try await client.answer() }
        #expect(!streams.value.contains { $0.send([1]) })
        streams.update { $0 = [] }
    }

    /// Who can connect is asked of the socket, also of one that the service manager has opened.
    @Test(
        arguments: [
            (.tcp("127.0.0.1", 0), .host), (.tcp("::1", 0), .host), (.tcp("0.0.0.0", 0), .network),
            (.tcp("::", 0), .network),
        ] as [(WebAddress, WebServer.AllowedClients)])
    func allowedClientsAreThoseOfSocket(address: WebAddress, clients: WebServer.AllowedClients) throws {
        let socket: Descriptor
        // A host without IPv6.
        do { socket = try address.listen() } catch {
            return #expect(error.number == EAFNOSUPPORT || error.number == EADDRNOTAVAIL)
        }
        let server = try WebServer(at: .passed(socket.number)) { _ in .response(status: 200) }
        #expect(server.allowedClients == clients)
        server.dispose()
    }

    /// Bytes are sent on other threads while the server stops.
    @Test func stopWhileSending() async throws {
        for _ in 0..<50 {
            let streams = Cell<[WebStream]>([])
            let server = try WebServer(at: .unix(path)) { _ in .stream { streams.append($0) } }
            let clients = try (0..<4).map { _ in try Client(path, "GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
            try await eventually("the streams begin") { streams.value.count == 4 }
            let sending = Cell(true)
            let sender = DispatchQueue(label: "sender")
            sender.async {
                while sending.value { for stream in streams.value { stream.send([1]) } }
            }
            server.dispose()
            sending.update { $0 = false }
            sender.sync {}
            withExtendedLifetime(clients) {}
            streams.update { $0 = [] }
        }
    }

    @Test func addressInUseIsError() throws {
        let server = try WebServer(at: .unix(path)) { _ in .response(status: 200) }
        #expect(throws: SystemError(EADDRINUSE, "listening at \(path)")) {
            try WebServer(at: .unix(path)) { _ in .response(status: 200) }
        }
        server.dispose()
        #expect(throws: SystemError.self) {
            try WebServer(at: .tcp("203.0.113.1", 9)) { _ in .response(status: 200) }
        }
    }
}
