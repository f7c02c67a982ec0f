import Glibc
import RxEngine
import RxLinux

/// Checks that no more objects are alive after a stop than before the start.
struct ResourceCheck {
    private let baseline = Resources.total

    /// The time in which everything that was stopped must be released. By then, a command that ignores SIGTERM is
    /// killed.
    static let within = RxLinux.Command.defaultGrace + .seconds(1)

    /// The time in which work that a server or a disk blocks must end.
    private static let blockedWithin = Duration.seconds(2)

    /// Whether to wait longer.
    private func isUnfinished(after elapsed: Duration) -> Bool {
        if elapsed >= Self.within { return false }
        if RxLinux.CommandRunner.areRunning { return true }
        if !BlockingCalls.descriptions.isEmpty { return elapsed < Self.blockedWithin }
        return Resources.isTraced && Resources.total != baseline
    }

    /// Waits until all commands have ended and the number of live objects has reached the baseline, and records the
    /// result: what blocks is named, and other objects that are left have leaked. If objects are not counted, nothing
    /// is awaited but commands.
    func verify(after reason: StopReason, _ recorder: Recorder) {
        let start = SuspendingClock.now
        while isUnfinished(after: .now - start) { poll(nil, 0, 1) }
        let blocked = BlockingCalls.descriptions
        let total = Resources.total
        let isClean = Resources.isTraced ? total == baseline : blocked.isEmpty
        let outcome =
            switch (isClean, blocked.isEmpty) {
            case (true, _): Resources.isTraced ? ": \(total) live objects, as before the start" : ""
            case (false, true):
                ": \(total) live objects, \(baseline) before the start: something leaked"
                    + SubscriptionRecording.alive()
            case (false, false): " without waiting any longer for: \(blocked.joined(separator: "; "))"
            }
        recorder.record(
            .lifecycle, isClean ? .notice : blocked.isEmpty ? .err : .warning, "stopped on \(reason)\(outcome)",
            [
                .phase: "stopped", .total: Resources.isTraced ? String(total) : nil,
                .baseline: Resources.isTraced ? String(baseline) : nil,
            ])
    }
}
