import CLinux
import Foundation
import TestSupport
import Testing

/// A server on loopback or a unix socket that handles each connection with a test's closure, on a thread of its own.
package final class RawServer: Sendable {
    /// The TCP port that it listens on, unless it has a unix socket.
    package let port: Int
    /// The path of the unix socket, if any.
    package let path: String?
    /// The number of accepted connections.
    package let accepted = Cell(0)
    /// The number of open connections.
    package let open = Cell(0)
    /// The largest number of connections that were open at once.
    package let maximumOpen = Cell(0)
    /// The received requests.
    package let requests = Cell<[String]>([])

    private let listener: Int32

    /// - Parameter backlog: the number of connections that the kernel accepts before the server does.
    package init(
        path: String? = nil, ipv6: Bool = false, backlog: Int32 = 64, _ serve: @escaping @Sendable (Peer) -> Void
    ) throws {
        self.path = path
        listener = try Self.listen(path, ipv6, backlog)
        port = path == nil ? Self.port(of: listener) : 0
        let (listener, accepted, open, maximumOpen, requests) = (listener, accepted, open, maximumOpen, requests)
        guard backlog > 0 else { return }
        Foundation.Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                // `shutdown` of the listener ends the blocked `accept`.
                guard descriptor >= 0 else { break }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                accepted.update { $0 += 1 }
                open.update { $0 += 1 }
                let now = open.value
                maximumOpen.update { $0 = max($0, now) }
                let number = accepted.value - 1
                Foundation.Thread.detachNewThread {
                    serve(Peer(descriptor, number: number, requests))
                    open.update { $0 -= 1 }
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        if let path { unlink(path) }
    }

    /// The address of `path` on this server.
    package func url(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// A server that sends the same answer to every request, and keeps its connections open.
    package static func answering(_ answer: String, path: String? = nil) throws -> RawServer {
        try RawServer(path: path) { peer in
            while peer.request() != nil { peer.send(answer) }
        }
    }

    private static func listen(_ path: String?, _ ipv6: Bool, _ backlog: Int32) throws -> Int32 {
        let family = path != nil ? AF_UNIX : ipv6 ? AF_INET6 : AF_INET
        let listener = socket(family, rx_socket_stream | rx_socket_cloexec, 0)
        try #require(listener >= 0)
        var status: Int32
        if let path {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            if path.hasPrefix("@") { address.sun_path.0 = 0 }
            // The bytes after the name would be a part of an abstract name.
            let length = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + path.utf8.count
            status = bind(listener, address, length + (path.hasPrefix("@") ? 0 : 1))
        } else if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            status = bind(listener, address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            status = bind(listener, address)
        }
        try #require(status == 0)
        try #require(Glibc.listen(listener, backlog) == 0)
        return listener
    }

    private static func bind<Address>(
        _ descriptor: Int32, _ address: Address, _ size: Int = MemoryLayout<Address>.size
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(size))
            }
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        // The port stands at the same place in the addresses of either family.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
        }
        return Int(address.sin6_port.bigEndian)
    }
}

/// One connection of a server.
package struct Peer: Sendable {
    /// The number of connections before it.
    package let number: Int
    private let descriptor: Int32
    private let requests: Cell<[String]>

    init(_ descriptor: Int32, number: Int, _ requests: Cell<[String]>) {
        self.descriptor = descriptor
        self.number = number
        self.requests = requests
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    /// Reads the header of the next request, and its body if the header has the length; `nil` at the end of the
    /// connection.
    @discardableResult
    package func request() -> String? {
        var request = ""
        while !request.contains("\r\n\r\n") {
            guard let more = read(1) else { return nil }
            request += more
        }
        let length = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        if let length, length > 0 {
            while request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first?.utf8.count ?? 0 < length {
                guard let more = read(4096) else { break }
                request += more
            }
        }
        requests.append(request)
        return request
    }

    /// Reads up to `maximum` bytes; `nil` at the end of the connection.
    package func read(_ maximum: Int) -> String? {
        var buffer = [UInt8](repeating: 0, count: maximum)
        let count = Glibc.read(descriptor, &buffer, maximum)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    /// Waits before the next action.
    package func wait(milliseconds: Int32) {
        poll(nil, 0, milliseconds)
    }

    /// Waits until the client has closed the connection.
    package func waitForEnd() {
        while read(4096) != nil {}
    }

    /// - Returns: whether the other side has not closed the connection.
    @discardableResult
    package func send(_ text: String) -> Bool {
        send(bytes: Array(text.utf8))
    }

    /// - Returns: whether the other side has not closed the connection.
    @discardableResult
    package func send(bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends `text` byte by byte, repeatedly, until the other side closes the connection.
    package func drip(_ text: String) {
        repeat {
            for byte in text.utf8 {
                guard send(bytes: [byte]) else { return }
                poll(nil, 0, 2)
            }
        } while true
    }

    /// Forwards bytes between the other side and `port`, until either closes.
    package func connect(to port: Int) {
        let there = Peer.connecting(to: port)
        var block = [UInt8](repeating: 0, count: 1 << 14)
        var ends = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        ends.append(pollfd(fd: there.descriptor, events: Int16(POLLIN), revents: 0))
        while poll(&ends, 2, 20_000) > 0 {
            for (one, other) in [(0, there), (1, self)] where ends[one].revents != 0 {
                let count = Glibc.read(ends[one].fd, &block, block.count)
                guard count > 0, other.send(bytes: Array(block.prefix(count))) else { return there.end() }
            }
        }
        there.end()
    }

    /// A client's end of a new connection that is not accepted yet.
    package static func connecting(to port: Int) -> Peer {
        let descriptor = socket(AF_INET, rx_socket_stream | rx_socket_cloexec | rx_socket_nonblock, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, 200)
        _ = fcntl(descriptor, F_SETFL, O_RDWR)
        return Peer(descriptor, number: 0, Cell([]))
    }

    /// Closes a connection that `connecting(to:)` made.
    package func end() {
        close(descriptor)
    }

    /// Makes the close of the connection a reset.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}

/// A response with the status 200.
package func ok(_ body: String, _ headers: String...) -> String {
    "HTTP/1.1 200 OK\r\n" + headers.map { "\($0)\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

extension Array where Element == UInt8 {
    /// The bytes as text.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
