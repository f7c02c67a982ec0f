#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The format of the lines that ``ObservableType/debug(_:trimOutput:file:line:function:)`` writes.
public struct DebugFormat: Sendable {
    /// An occurrence that a line describes.
    public enum Report: Sendable {
        /// An observer subscribed to the sequence.
        case subscribed
        /// The sequence emitted an event, which this describes.
        case event(String)
        /// The sequence ended or was disposed.
        case disposed
    }

    /// Returns the line for a report of the sequence `identifier`.
    public let line: @Sendable (_ identifier: String, _ report: Report) -> String

    /// Makes a format.
    ///
    /// - Parameter line: returns the line for a report of a sequence.
    public init(_ line: @escaping @Sendable (_ identifier: String, _ report: Report) -> String) {
        self.line = line
    }

    /// A format with the local time, as RxSwift writes it:
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

    /// A format without a time, as the first Rx for Swift wrote it:
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

    /// The local time as `yyyy-MM-dd HH:mm:ss.SSS`.
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

    /// The format of the lines that `debug` writes (default: ``DebugFormat/timestamped``).
    ///
    /// See ``ObservableType/debug(_:trimOutput:file:line:function:)``.
    public static var debugFormat: DebugFormat {
        get { debugState.withLock { $0.format } }
        set {
            // The previous closure is released after the lock: the deinitializers of objects that it captures may read
            // this property.
            var previous = newValue
            debugState.withLock { swap(&$0.format, &previous) }
        }
    }

    /// The closure that receives each line of `debug` (default: prints it).
    ///
    /// See ``ObservableType/debug(_:trimOutput:file:line:function:)``.
    ///
    /// It is called on the thread of the event that the line describes.
    public static var debugOutput: @Sendable (String) -> Void {
        get { debugState.withLock { $0.output } }
        set {
            // As above.
            var previous = newValue
            debugState.withLock { swap(&$0.output, &previous) }
        }
    }
}
