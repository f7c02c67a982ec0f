import RxDiagnostics

/// How long one evaluation of an expression may take.
///
/// Spans are counted in looks of the watch's, not by a clock: a process that was stopped for an hour has not evaluated
/// for an hour.
package struct JQLimits: Sendable {
    /// When it is told of.
    package var noticedAfter = Duration.milliseconds(500)
    /// When it is stopped.
    package var stoppedAfter = Duration.seconds(2)
    /// By how many bytes the process may grow meanwhile. An evaluation is not stopped for that in its first tenth of a
    /// second.
    package var growth = 256 << 20
    /// How often the watch looks while expressions are evaluated now and then: this much later than the limits say may
    /// it be.
    package var look = Duration.milliseconds(100)
    /// How often it looks while one is under way that was so when it looked last.
    package var closeLook = Duration.milliseconds(20)

    package init() {}
}

/// Why an evaluation was stopped.
enum JQStop: Sendable {
    case time(Duration)
    case memory(Int)

    var error: JQError {
        switch self {
        case .time(let time): JQError("stopped after \(SystemdDuration.format(time)): it came to no end")
        case .memory(let bytes): JQError("stopped: the process grew by \(bytes >> 20) MiB while it was evaluated")
        }
    }
}
