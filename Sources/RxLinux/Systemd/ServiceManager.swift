import CSystemd
import Glibc

/// The service manager that started this process, and what it is told about it.
///
/// Where no manager listens, every message is dropped without a word.
public enum ServiceManager {
    /// What a manager can be told.
    public enum Message: Sendable, Hashable {
        /// The service is up, or up again after ``reloading``.
        case ready
        /// The configuration is being read again.
        case reloading
        /// The service is on its way down.
        case stopping
        /// The service is alive; due more often than ``ServiceManager/watchdogInterval``.
        case watchdog
        /// How things stand, in one line for `systemctl status`.
        case status(String)
        /// Starting, reloading or stopping goes on, and will for at least this long.
        case extendTimeout(Duration)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds())"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .status(let line): "STATUS=\(line.map { $0.isNewline ? " " : $0 }.reduce(into: "") { $0.append($1) })"
            case .extendTimeout(let span): "EXTEND_TIMEOUT_USEC=\(span.wholeMicroseconds)"
            }
        }
    }

    /// Tells the manager all of these at once.
    public static func tell(_ messages: Message...) throws(SystemError) {
        let status = sd_notify(0, messages.map(\.text).joined(separator: "\n"))
        if status < 0 { throw SystemError(-status, "telling the service manager") }
    }

    /// How long the manager waits for ``Message/watchdog`` before it takes this process for dead; `nil` where it does
    /// not watch.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    private static func monotonicMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Duration {
    /// The span in microseconds as the manager takes it: none below zero, and the most where it is longer.
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflow || overflowed { return self < .zero ? 0 : .max }
        return max(0, sum)
    }
}
