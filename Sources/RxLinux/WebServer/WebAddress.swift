import CLinux
import Glibc

/// The address that a ``WebServer`` listens at.
public enum WebAddress: Sendable, Hashable {
    /// A numeric address, such as `127.0.0.1` or `::1`, and a port.
    case tcp(String, UInt16)
    /// The path of a unix socket.
    case unix(String)
    /// A listening socket that the service manager has passed to this process, which stays open.
    case passed(Int32)

    /// Creates the address of a text: `127.0.0.1:9476`, `[::1]:9476` or the absolute path of a unix socket.
    public init?(_ text: String) {
        if text.hasPrefix("/") {
            guard text.utf8.count < 108, !text.utf8.contains(0) else { return nil }
            self = .unix(text)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard Self.isNumeric(host) else { return nil }
        self = .tcp(host, port)
    }

    private static func isNumeric(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }

    /// Returns a socket that listens at the address.
    func listen() throws(SystemError) -> Descriptor {
        switch self {
        case .unix(let path): return Descriptor(owning: try LocalServer.listen(at: path, 0o660))
        case .passed(let descriptor): return try Descriptor.duplicate(descriptor)
        case .tcp(let host, let port):
            let doing = "listening at \(self)"
            let (family, address) = Self.address(host, port)
            let flags = rx_socket_nonblock | rx_socket_cloexec
            let socket = try Descriptor(Glibc.socket(family, rx_socket_stream | flags, 0), doing)
            var on: Int32 = 1
            setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            let status = address.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    bind(socket.number, $0.baseAddress, socklen_t(bytes.count))
                }
            }
            guard status == 0, Glibc.listen(socket.number, SOMAXCONN) == 0 else { throw SystemError.last(doing) }
            return socket
        }
    }

    private static func address(_ host: String, _ port: UInt16) -> (family: Int32, bytes: [UInt8]) {
        var four = sockaddr_in()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            return (AF_INET, withUnsafeBytes(of: &four) { Array($0) })
        }
        var six = sockaddr_in6()
        inet_pton(AF_INET6, host, &six.sin6_addr)
        (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
        return (AF_INET6, withUnsafeBytes(of: &six) { Array($0) })
    }
}

extension WebAddress: CustomStringConvertible {
    /// The text of the address.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        case .passed: "the socket of the service manager"
        }
    }
}
