import Foundation
import Synchronization

/// A server on loopback that writes each request under its path: its `Idempotency-Key`, without the key of the sink,
/// and its body. It refuses some requests, and closes the connection of others without an answer, before it writes
/// them.
final class HTTPServer: Sendable {
    let port: Int
    private let listener: Int32

    /// - Parameter note: called with the path and the line.
    init(note: @escaping @Sendable (String, [UInt8]) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw Problem("there is no port for the server") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let requests = Atomic(0)
        let count: @Sendable () -> Int = { requests.add(1, ordering: .relaxed).newValue }
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread {
                    Self.serve(connection, count: count, note)
                    close(connection)
                }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func serve(
        _ connection: Int32, count: () -> Int, _ note: (String, [UInt8]) -> Void
    ) {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        while true {
            while bytes.range(of: end) == nil {
                guard receive(connection, &bytes) else { return }
            }
            guard let head = bytes.range(of: end) else { return }
            let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            func header(_ name: String) -> String? {
                lines.first { $0.lowercased().hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
            }
            let length = header("content-length").flatMap { Int($0) } ?? 0
            while bytes.count < head.upperBound + length {
                guard receive(connection, &bytes) else { return }
            }
            let body = bytes[head.upperBound..<head.upperBound + length]
            bytes = Data(bytes[(head.upperBound + length)...])
            let key = String(lines[0].split(separator: " ")[1].dropFirst())
            let number = count()
            if number % 17 == 5 { return }
            let isRefused = number % 11 == 3
            if !isRefused, let id = header("idempotency-key")?.dropFirst(key.count + 1) {
                note(key, Array("\(id) ".utf8) + body + [UInt8(ascii: "\n")])
            }
            let answer = Data("HTTP/1.1 \(isRefused ? "503 Busy" : "200 OK")\r\nContent-Length: 0\r\n\r\n".utf8)
            let sent = answer.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent == answer.count else { return }
        }
    }

    private static func receive(_ connection: Int32, _ bytes: inout Data) -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &block, block.count, 0)
        if count > 0 { bytes += block.prefix(count) }
        return count > 0
    }
}
