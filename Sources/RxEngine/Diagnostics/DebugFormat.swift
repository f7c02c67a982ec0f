import Glibc

/// How ``ObservableType/debug(_:trimOutput:file:line:function:)`` writes what it sees.
public struct DebugFormat: Sendable {
    /// What there is to write.
    public enum Report: Sendable {
        /// The sequence is subscribed to.
        case subscribed
        /// It told an event, which this describes.
        case event(String)
        /// It ended or was disposed.
        case disposed
    }

    /// The line about a report from the sequence of this name.
    public let line: @Sendable (_ identifier: String, _ report: Report) -> String

    /// A format.
    public init(_ line: @escaping @Sendable (_ identifier: String, _ report: Report) -> String) {
        self.line = line
    }

    /// With the local time, as RxSwift writes it:
    ///
    ///     2026-03-01 12:00:00.000: my probe -> subscribed
    ///     2026-03-01 12:00:01.000: my probe -> Event next(0)
    ///     2026-03-01 12:00:01.500: my probe -> isDisposed
    public static let timestamped = DebugFormat { identifier, report in
        let prefix = "\(localTime()): \(identifier) ->"
        return switch report {
        case .subscribed: "\(prefix) subscribed"
        case .event(let event): "\(prefix) Event \(event)"
        case .disposed: "\(prefix) isDisposed"
        }
    }

    /// Without a time, as the first Rx for Swift wrote it:
    ///
    ///     [my probe] subscribed
    ///     [my probe] -> Event next(0)
    ///     [my probe] dispose
    public static let classic = DebugFormat { identifier, report in
        switch report {
        case .subscribed: "[\(identifier)] subscribed"
        case .event(let event): "[\(identifier)] -> Event \(event)"
        case .disposed: "[\(identifier)] dispose"
        }
    }

    /// `yyyy-MM-dd HH:mm:ss.SSS`.
    private static func localTime() -> String {
        var now = timespec()
        var local = tm()
        clock_gettime(CLOCK_REALTIME, &now)
        localtime_r(&now.tv_sec, &local)
        let date = [padded(local.tm_year + 1900, 4), padded(local.tm_mon + 1, 2), padded(local.tm_mday, 2)]
        let time = [padded(local.tm_hour, 2), padded(local.tm_min, 2), padded(local.tm_sec, 2)]
        let milliseconds = padded(Int32(now.tv_nsec / 1_000_000), 3)
        return "\(date.joined(separator: "-")) \(time.joined(separator: ":")).\(milliseconds)"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Hooks {
    private struct DebugState {
        var format = DebugFormat.timestamped
        var output: @Sendable (String) -> Void = { print($0) }
    }

    private static let debugState = Locked(DebugState())

    /// The format of the lines that ``ObservableType/debug(_:trimOutput:file:line:function:)`` writes (default:
    /// ``DebugFormat/timestamped``).
    public static var debugFormat: DebugFormat {
        get { debugState.withLock { $0.format } }
        set {
            // The previous closure is released after the lock: what it captures may read this property when it is
            // freed.
            var previous = newValue
            debugState.withLock { swap(&$0.format, &previous) }
        }
    }

    /// Receives each line that ``ObservableType/debug(_:trimOutput:file:line:function:)`` writes (default: prints it).
    public static var debugOutput: @Sendable (String) -> Void {
        get { debugState.withLock { $0.output } }
        set {
            // As above.
            var previous = newValue
            debugState.withLock { swap(&$0.output, &previous) }
        }
    }
}
