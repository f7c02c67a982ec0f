import RxDiagnostics

/// The limits on one evaluation of an expression.
///
/// The watch counts durations in its own inspections instead of reading a clock: a process that was suspended for an
/// hour has not evaluated for an hour.
package struct JQLimits: Sendable {
    /// The running time after which an evaluation is reported; default: 500 ms.
    package var noticedAfter = Duration.milliseconds(500)
    /// The running time after which an evaluation is stopped; default: 2 s.
    package var stoppedAfter = Duration.seconds(2)
    /// The number of bytes by which the process may grow during an evaluation; default: 64 MiB.
    package var growth = 64 << 20
    /// The time between two inspections while no evaluation lasts from one to the next; default: 50 ms.
    ///
    /// A limit may be noticed later by this much.
    package var inspectionInterval = Duration.milliseconds(50)
    /// The time between two inspections while an evaluation runs that ran at the previous one, too; default: 10 ms.
    package var shortInspectionInterval = Duration.milliseconds(10)

    /// The most bytes of memory that the outputs for one input may take, in Swift and in jq together.
    static let outputMemory = 32 << 20

    package init() {}
}

/// The limit for which an evaluation was stopped.
enum JQStop: Sendable {
    case time(Duration)
    case memory(Int)

    var error: JQError {
        switch self {
        case .time(let time): JQError("stopped after \(SystemdDuration.format(time)): it did not return")
        case .memory(let bytes): JQError("stopped: the process grew by \(bytes >> 20) MiB while it was evaluated")
        }
    }
}
