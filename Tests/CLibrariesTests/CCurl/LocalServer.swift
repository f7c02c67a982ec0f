import Dispatch
import Foundation
import TestSupport
import Testing

/// Gives the same answer to every HTTP request on a Unix socket, once it is allowed to, and closes the connection.
final class LocalServer: Sendable {
    let path: String
    private let listener: Int32
    private let received = Cell<[String]>([])
    private let gate = DispatchSemaphore(value: 0)

    init(status: String, body: String) throws {
        path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { [listener] in
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        try #require(listen(listener, 8) == 0)
        let answer =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
        DispatchQueue(label: "server").async { [listener, received, gate] in
            while true {
                let connection = accept(listener, nil, nil)
                // Shutting the listener down ends the wait for the next connection.
                guard connection >= 0 else { break }
                received.append(Self.request(from: connection))
                gate.wait()
                _ = answer.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                close(connection)
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// Lets the server give one more answer.
    func mayAnswer() {
        gate.signal()
    }

    /// The requests, oldest first.
    var requests: [String] { received.value }

    private static func request(from connection: Int32) -> String {
        var request = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !request.hasSuffix("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            request += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return request
    }
}
