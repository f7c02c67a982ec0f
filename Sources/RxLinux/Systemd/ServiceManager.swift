import CSystemd
import Glibc

/// Notifies the service manager that started this process of its state.
///
/// Without a service manager every message is dropped silently.
public enum ServiceManager {
    /// Sends all messages in one datagram.
    public static func notify(_ messages: Message...) throws(SystemError) {
        try notify(messages, with: [])
    }

    private static func notify(_ messages: [Message], with descriptors: [Int32]) throws(SystemError) {
        let text = messages.map(\.text).joined(separator: "\n")
        let status = descriptors.withUnsafeBufferPointer {
            sd_pid_notify_with_fds(0, 0, text, $0.baseAddress, UInt32($0.count))
        }
        if status < 0 { throw SystemError(-status, "notifying the service manager") }
    }

    /// Waits until the manager has processed all earlier messages, at most for `deadline`.
    ///
    /// After it the process may exit, or knows that a descriptor has been stored.
    ///
    /// - Throws: a ``SystemError`` with `ETIMEDOUT` after `deadline`.
    public static func barrier(within deadline: Duration) throws(SystemError) {
        let status = sd_notify_barrier(0, UInt64(deadline.wholeMicroseconds))
        if status < 0 { throw SystemError(-status, "waiting for the service manager") }
    }

    /// The time after which the manager kills this process without a ``Message/watchdog``.
    ///
    /// `nil` if there is no watchdog.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }
}

// MARK: Descriptor store

extension ServiceManager {
    /// A descriptor that the manager passed to this process: a listening socket, or one that was stored.
    public struct PassedDescriptor: Sendable, Hashable {
        /// The name in the unit file, or the name that the descriptor was stored under; `unknown` without a name.
        public let name: String
        /// The descriptor, which the caller closes. Child processes do not inherit it.
        public let descriptor: Int32
    }

    /// Stores descriptors in the manager for the service's next process; `FileDescriptorStoreMax=` limits their number.
    ///
    /// They also stay open here.
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors.
    ///   - name: the name that they are passed back under: printable ASCII without a colon, up to 255 characters.
    ///   - dropsBroken: whether the manager drops a descriptor that has an error or was hung up.
    public static func store(
        _ descriptors: [Int32], name: String, dropsBroken: Bool = true
    ) throws(SystemError) {
        try check(name)
        let poll = dropsBroken ? "" : "\nFDPOLL=0"
        // The kernel passes at most 253 descriptors with a message.
        for first in stride(from: 0, to: descriptors.count, by: 253) {
            let some = Array(descriptors[first..<min(first + 253, descriptors.count)])
            try notify([.other("FDSTORE=1\nFDNAME=\(name)\(poll)")], with: some)
        }
    }

    /// Removes the descriptors with this name from the manager's store.
    public static func forget(named name: String) throws(SystemError) {
        try check(name)
        try notify([.other("FDSTOREREMOVE=1\nFDNAME=\(name)")], with: [])
    }

    /// Returns the descriptors that the manager passed to this process, once: they are removed from the environment.
    public static func takePassedDescriptors() throws(SystemError) -> [PassedDescriptor] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &list)
        guard count >= 0 else { throw SystemError(-count, "receiving descriptors from the service manager") }
        defer {
            for index in 0..<Int(count) { free(list?[index]) }
            free(list)
        }
        return (0..<count).map { index in
            let name = list?[Int(index)].map { String(cString: $0) }
            return PassedDescriptor(name: name ?? "", descriptor: SD_LISTEN_FDS_START + index)
        }
    }

    private static func check(_ name: String) throws(SystemError) {
        let isName =
            !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
        if !isName {
            throw SystemError(
                EINVAL, "naming a descriptor '\(name)' (printable ASCII without a colon, up to 255 characters)")
        }
    }
}
