import CLinux
import Glibc
import TestSupport
import Testing

/// The service manager's end of the notify socket, for a test in a process of its own: its path is in the environment.
final class NotifySocket: Sendable {
    private let descriptor: Int32
    private let folder = TemporaryDirectory()

    init() throws {
        let path = folder("notify")
        descriptor = socket(AF_UNIX, rx_socket_datagram | rx_socket_cloexec, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(status == 0)
        setenv("NOTIFY_SOCKET", path, 1)
    }

    deinit {
        close(descriptor)
    }

    /// The next message; `nil` if there is none.
    func message() -> String? {
        guard let (text, descriptors) = messageWithDescriptors() else { return nil }
        for descriptor in descriptors { close(descriptor) }
        return text
    }

    /// The next message, and the descriptors that came with it, which the caller must close.
    func messageWithDescriptors() -> (text: String, descriptors: [Int32])? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var descriptors = [Int32](repeating: -1, count: 64)
        var count = descriptors.count
        let size = rx_receive(descriptor, &buffer, buffer.count, &descriptors, &count)
        return size >= 0 ? (String(decoding: buffer[..<size], as: UTF8.self), Array(descriptors[..<count])) : nil
    }
}
