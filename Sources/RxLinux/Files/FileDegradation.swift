import Glibc

/// The reason for which a path is polled, or watched only in part.
public struct FileDegradation: Sendable, Hashable, CustomStringConvertible {
    /// The path.
    public let path: BytePath
    /// The error of the system.
    public let error: SystemError
    /// Whether the whole path is polled.
    ///
    /// If not, it is watched except for the parts that cannot be read, which are watched once they can.
    public let isPolled: Bool

    /// A message with the problem and a remedy.
    public var description: String {
        let remedy =
            switch error.number {
            case ENOSPC: ": raise fs.inotify.max_user_watches (\(Self.limit("max_user_watches")))"
            case EMFILE, ENFILE:
                ": raise the limit of open files, or fs.inotify.max_user_instances (\(Self.limit("max_user_instances")))"
            case ENOMEM where !isPolled: ": exclude directories, or raise MemoryMax of the service"
            case EACCES: ": let the user that this process runs as read it"
            default: ""
            }
        return "\(path) is \(isPolled ? "polled, not watched" : "watched in part"): \(error)\(remedy)"
    }

    private static func limit(_ name: String) -> String {
        FileLimits.current(name).map { "now \($0)" } ?? "not readable here"
    }
}

/// The system's limits on inotify.
public struct FileLimits: Sendable, Hashable {
    /// The most watches of one user; `nil` if unknown.
    public let watches: Int?
    /// The most inotify descriptors of one user; `nil` if unknown.
    public let instances: Int?
    /// The most events in the queue of one descriptor; `nil` if unknown.
    public let queuedEvents: Int?

    /// The current limits, without those that the process may not read.
    public static var current: FileLimits {
        FileLimits(
            watches: current("max_user_watches"), instances: current("max_user_instances"),
            queuedEvents: current("max_queued_events"))
    }

    static func current(_ name: String) -> Int? {
        KernelFile.text(of: "/proc/sys/fs/inotify/\(name)").split(separator: "\n").first.flatMap { Int($0) }
    }
}
