import Glibc

/// Why a path is not watched as it should be.
public struct FileDegradation: Sendable, Hashable, CustomStringConvertible {
    /// The path.
    public let path: BytePath
    /// What the system said.
    public let error: SystemError
    /// Whether all of it is looked at now and then instead; otherwise all is watched but what may not be read, until it
    /// may.
    public let isLookedAt: Bool

    /// What is wrong, and what would help.
    public var description: String {
        let remedy =
            switch error.number {
            case ENOSPC: ": raise fs.inotify.max_user_watches (\(Self.limit("max_user_watches")))"
            case EMFILE, ENFILE:
                ": raise the limit of open files, or fs.inotify.max_user_instances (\(Self.limit("max_user_instances")))"
            case EACCES: ": let the user that this process runs as read it"
            default: ""
            }
        return "\(path) is \(isLookedAt ? "looked at now and then, not watched" : "watched in part"): \(error)\(remedy)"
    }

    private static func limit(_ name: String) -> String {
        FileLimits.current(name).map { "now \($0)" } ?? "not readable here"
    }
}

/// What the system allows of watching.
public struct FileLimits: Sendable, Hashable {
    /// Watches of one user.
    public let watches: Int?
    /// Inotify descriptors of one user.
    public let instances: Int?
    /// Events that wait for one descriptor.
    public let queuedEvents: Int?

    /// The limits of this moment; `nil` where the process may not know.
    public static var current: FileLimits {
        FileLimits(
            watches: current("max_user_watches"), instances: current("max_user_instances"),
            queuedEvents: current("max_queued_events"))
    }

    static func current(_ name: String) -> Int? {
        let descriptor = open("/proc/sys/fs/inotify/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 32)
        let count = read(descriptor, &text, text.count)
        return Int(String(decoding: text.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self))
    }
}
