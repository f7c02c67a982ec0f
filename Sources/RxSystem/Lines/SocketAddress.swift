import CLinux
import Glibc

/// The error of a host name that cannot be resolved.
public struct AddressError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host name.
    public let host: String
    /// The resolver's error number, one of `EAI_…`.
    public let number: Int32

    /// A message of the form `looking up 'HOST': REASON`.
    public var description: String {
        "looking up '\(host)': \(String(cString: gai_strerror(number)))"
    }
}

/// The address of a unix or TCP socket.
package struct SocketAddress: Sendable {
    private let family: Int32
    private let bytes: [UInt8]

    /// Creates the address of a unix socket; `@` as the first character stands for the abstract namespace.
    package init(unix path: String) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = path.hasPrefix("@")
        let name = isAbstract ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8) + [0]
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count > 1, name.count <= room else {
            throw SystemError(ENAMETOOLONG, "connecting to '\(path)': a socket's path has up to \(room - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        family = AF_UNIX
        let length = MemoryLayout<sockaddr_un>.size - room + name.count
        bytes = withUnsafeBytes(of: &address) { Array($0.prefix(length)) }
    }

    private init(_ info: addrinfo) {
        family = info.ai_family
        bytes = info.ai_addr.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(info.ai_addrlen))) } ?? []
    }

    /// Resolves a host name, which blocks.
    package static func resolve(_ host: String, port: UInt16) throws(AddressError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = rx_socket_stream
        hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw AddressError(host: host, number: status) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            addresses.append(SocketAddress(info))
            next = info.ai_next
        }
        return addresses
    }

    /// Returns a new socket that is connecting; when it becomes writable, call `finishConnecting`.
    package func beginConnecting(_ doing: String, type: Int32 = rx_socket_stream) throws(SystemError) -> Descriptor {
        let flags = rx_socket_nonblock | rx_socket_cloexec
        let socket = try Descriptor(Glibc.socket(family, type | flags, 0), doing)
        guard connect(socket.number) == 0 || errno == EINPROGRESS else { throw SystemError.last(doing) }
        return socket
    }

    /// Connects a socket.
    ///
    /// - Returns: the result of the system call.
    package func connect(_ socket: Int32) -> Int32 {
        bytes.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(socket, $0.baseAddress, socklen_t(bytes.count))
            }
        }
    }

    /// Binds a socket to the address.
    ///
    /// - Returns: the result of the system call.
    package func bind(_ socket: Int32) -> Int32 {
        bytes.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: sockaddr.self) { Glibc.bind(socket, $0.baseAddress, socklen_t(bytes.count)) }
        }
    }

    /// Throws the error if a socket that has become writable could not be connected.
    package static func finishConnecting(_ socket: Int32, _ doing: String) throws(SystemError) {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &size) == 0 else { throw SystemError.last(doing) }
        if number != 0 { throw SystemError(number, doing) }
    }
}
