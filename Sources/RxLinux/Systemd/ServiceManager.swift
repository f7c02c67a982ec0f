import CSystemd
import Glibc

/// Notifies the service manager that started this process of its state.
///
/// If no manager listens, every message is dropped silently.
public enum ServiceManager {
    /// Sends all messages at once.
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

    /// Waits until the manager has processed all messages before this, but no longer than `deadline`. So a
    /// process knows that it may exit, or that a descriptor has been stored.
    ///
    /// Fails with `ETIMEDOUT` where that takes longer.
    public static func barrier(within deadline: Duration) throws(SystemError) {
        let status = sd_notify_barrier(0, UInt64(deadline.wholeMicroseconds))
        if status < 0 { throw SystemError(-status, "waiting for the service manager") }
    }

    /// How long the manager waits for ``Message/watchdog`` before it takes this process for dead; `nil` where it does
    /// not watch.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }
}

// MARK: the descriptor store

extension ServiceManager {
    /// A descriptor that the manager passed to this process: one it listens on for us, or one that we had it keep.
    public struct PassedDescriptor: Sendable, Hashable {
        /// The name that the unit file gives it, or that it was stored under; `unknown` where none was given.
        public let name: String
        /// The descriptor, which is ours to close. No program that is started inherits it.
        public let descriptor: Int32
    }

    /// Has the manager keep these descriptors for the service's next process (`FileDescriptorStoreMax=` says how many
    /// there may be). They stay open here too.
    ///
    /// - Parameters:
    ///   - name: what they come back under: printable ASCII without a colon, up to 255 characters.
    ///   - dropsBroken: whether the manager forgets one that has an error or was hung up on.
    public static func store(
        _ descriptors: [Int32], name: String, dropsBroken: Bool = true
    ) throws(SystemError) {
        try check(name)
        let poll = dropsBroken ? "" : "\nFDPOLL=0"
        // Each message may carry 253 of them: what the kernel lets pass at once.
        for first in stride(from: 0, to: descriptors.count, by: 253) {
            let some = Array(descriptors[first..<min(first + 253, descriptors.count)])
            try notify([.other("FDSTORE=1\nFDNAME=\(name)\(poll)")], with: some)
        }
    }

    /// Has the manager forget what it keeps under a name.
    public static func forget(named name: String) throws(SystemError) {
        try check(name)
        try notify([.other("FDSTOREREMOVE=1\nFDNAME=\(name)")], with: [])
    }

    /// The descriptors that the manager passed to this process, once: they are taken out of the environment.
    public static func takePassedDescriptors() throws(SystemError) -> [PassedDescriptor] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &list)
        guard count >= 0 else { throw SystemError(-count, "taking over what the service manager passed") }
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
