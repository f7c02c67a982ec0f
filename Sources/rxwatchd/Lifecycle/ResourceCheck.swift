import Glibc
import RxEngine
import RxLinux

/// Checks that nothing is alive after a stop that was not alive before the start.
struct ResourceCheck {
    private let baseline = Resources.total

    /// How long what was stopped may take to be released. A command that does not end on SIGTERM is killed by then.
    static let within = RxLinux.Command.usualGrace + .seconds(1)

    /// Waits for the count of live resources to reach the baseline, and records it. Without counts, there is nothing to
    /// check.
    func verify(after ending: Ending, _ recorder: Recorder) {
        guard Resources.isTraced else {
            return recorder.record(.lifecycle, .notice, "stopped on \(ending)", [.phase: "stopped"])
        }
        let deadline = ContinuousClock.now + Self.within
        while Resources.total != baseline, ContinuousClock.now < deadline { poll(nil, 0, 1) }
        let total = Resources.total
        let isClean = total == baseline
        recorder.record(
            .lifecycle, isClean ? .notice : .err,
            "stopped on \(ending): \(total) live resources, "
                + (isClean ? "as before the start" : "\(baseline) before the start: something leaked"),
            [.phase: "stopped", .total: String(total), .baseline: String(baseline)])
    }
}
