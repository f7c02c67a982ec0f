import Glibc

extension ServiceManager {
    /// A message to the service manager.
    public enum Message: Sendable, Hashable {
        /// The service has started, or has finished ``reloading``.
        case ready
        /// The service reads its configuration again.
        case reloading
        /// The service is stopping.
        case stopping
        /// The state of the service, in one line for `systemctl status`.
        case status(String)
        /// The error number of a failure.
        case errorNumber(Int32)
        /// The D-Bus error name of a failure.
        case busError(String)
        /// The main process of the service.
        case mainProcess(Int32)
        /// The service is alive; to be sent more often than ``ServiceManager/watchdogInterval``.
        case watchdog
        /// The service has detected that it hangs: the manager acts as if ``watchdog`` were overdue.
        case watchdogTrigger
        /// The new interval of ``watchdog``.
        case watchdogInterval(Duration)
        /// Starting, reloading or stopping takes at least this much longer.
        case extendTimeout(Duration)
        /// Assignments without a case of their own, one a line, sent as they are.
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
    /// The text without line breaks, which would begin another assignment.
    fileprivate var onOneLine: String {
        map { $0.isNewline ? " " : $0 }.reduce(into: "") { $0.append($1) }
    }
}
