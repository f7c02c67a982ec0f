import Glibc
import TestSupport
import Testing

// Unchecked: mutable state is in boxes.
/// An HTTP server on loopback that gives each request the next of its answers, and repeats the last one. An empty
/// answer closes the connection.
final class SinkServer: @unchecked Sendable {
    let port: UInt16
    /// The complete requests, with their times of arrival.
    let requests = Cell<[(text: String, at: ContinuousClock.Instant)]>([])
    private let listener: Int32
    private var thread: TestSupport.Thread?

    convenience init(_ answers: String...) throws {
        try self.init { number, _ in answers[min(number, answers.count) - 1] }
    }

    /// - Parameter answer: returns the answer to a request, given its number, from 1, and its text.
    init(answering answer: @escaping @Sendable (_ number: Int, _ request: String) -> String) throws {
        let (listener, port) = try Self.listen(backlog: 64)
        self.listener = listener
        self.port = port
        let requests = requests
        thread = TestSupport.Thread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let request = Self.read(connection)
                requests.append((request, .now))
                let bytes = Array(answer(requests.value.count, request).utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }

    /// A listening socket on a free port.
    static func listen(backlog: Int32) throws -> (listener: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) + Glibc.listen(listener, backlog) + getsockname(listener, $0, &size)
            }
        }
        try #require(listener >= 0 && status == 0)
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        thread?.join()
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Reads a request with a body of the announced length.
    private static func read(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let head = text.firstRange(of: "\r\n\r\n") {
                let length = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) }
                if text[head.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { return text }
            bytes += buffer[..<count]
        }
    }
}

/// An answer after which the connection is closed.
func answer(_ status: Int, _ headers: String...) -> String {
    "HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: 0\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n"
}
