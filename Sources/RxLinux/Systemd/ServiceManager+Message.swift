import Glibc

extension ServiceManager {
    /// What a manager can be told.
    public enum Message: Sendable, Hashable {
        /// The service is up, or up again after ``reloading``.
        case ready
        /// The configuration is being read again.
        case reloading
        /// The service is on its way down.
        case stopping
        /// How things stand, in one line for `systemctl status`.
        case status(String)
        /// Why the service failed, as an error number.
        case errorNumber(Int32)
        /// Why the service failed, as the name of an error on the bus.
        case busError(String)
        /// The process that is the service now.
        case mainProcess(Int32)
        /// The service is alive; due more often than ``ServiceManager/watchdogInterval``.
        case watchdog
        /// The service has found itself to hang: to be treated as if ``watchdog`` had not come in time.
        case watchdogTrigger
        /// How often ``watchdog`` is due from now on.
        case watchdogInterval(Duration)
        /// Starting, reloading or stopping goes on, and will for at least this long.
        case extendTimeout(Duration)
        /// Assignments that this list does not have, one a line, sent as they are.
        case other(String)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())"
            case .stopping: "STOPPING=1"
            case .status(let line): "STATUS=\(line.onOneLine)"
            case .errorNumber(let number): "ERRNO=\(number)"
            case .busError(let name): "BUSERROR=\(name.onOneLine)"
            case .mainProcess(let number): "MAINPID=\(number)"
            case .watchdog: "WATCHDOG=1"
            case .watchdogTrigger: "WATCHDOG=trigger"
            case .watchdogInterval(let span): "WATCHDOG_USEC=\(span.wholeMicroseconds)"
            case .extendTimeout(let span): "EXTEND_TIMEOUT_USEC=\(span.wholeMicroseconds)"
            case .other(let text): text
            }
        }

        private static func monotonicMicroseconds() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }
}

extension String {
    /// The text without what would begin another assignment.
    fileprivate var onOneLine: String {
        map { $0.isNewline ? " " : $0 }.reduce(into: "") { $0.append($1) }
    }
}

extension Duration {
    /// The span in microseconds as the manager takes it: none below zero, and the most where it is longer.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflow || overflowed { return self < .zero ? 0 : .max }
        return max(0, sum)
    }
}
