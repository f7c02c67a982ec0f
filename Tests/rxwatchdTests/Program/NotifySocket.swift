import Foundation
import TestSupport
import Testing

// Unchecked: a dispatch source may be used from any thread.
/// The service manager's end of the notify socket.
final class NotifySocket: @unchecked Sendable {
    private let folder = TemporaryDirectory()
    var path: String { folder("notify") }
    private let received = Cell<[String]>([])
    /// Reads at once, since a daemon whose messages are not read waits for that.
    private let reader: any DispatchSourceRead
    private let queue = DispatchQueue(label: "notify-socket")

    init() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder("notify")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reader.setEventHandler { [received] in Self.read(descriptor, received) }
        reader.setCancelHandler { close(descriptor) }
        reader.activate()
        try #require(status == 0)
    }

    deinit {
        reader.cancel()
    }

    /// All messages received so far.
    var messages: [String] {
        queue.sync { Self.read(Int32(reader.handle), received) }
        return received.value
    }

    private static func read(_ descriptor: Int32, _ received: Cell<[String]>) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
            received.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }

    /// The state changes of the service among them.
    var turns: [String] {
        messages.compactMap { $0.split(separator: "\n").first.map(String.init) }
            .filter { turn in !["STATUS=", "WATCHDOG=", "FDSTORE"].contains(where: turn.hasPrefix) }
    }
}
