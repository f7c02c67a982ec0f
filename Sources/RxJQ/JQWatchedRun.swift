import Glibc
import Synchronization

/// The watch's record of a state's latest evaluation.
struct JQWatchedRun {
    let control: JQRunControl
    /// The state's flags and count at the latest inspection.
    private var word: UInt64 = 0
    private var running = Duration.zero
    /// The process's resident size, in bytes, when the watch first saw the evaluation.
    private var size = 0
    private var isReported = false
    private(set) var stop: JQStop?

    init(_ control: JQRunControl) {
        self.control = control
    }

    /// Whether `word` belongs to the evaluation, or to the idle time after it, that the watch saw last.
    func isAt(_ word: UInt64) -> Bool {
        let others = JQRunControl.isNoticed | JQRunControl.isEnding
        return self.word | others == word | others
    }

    /// Starts the record of another evaluation.
    mutating func begin(_ word: UInt64) {
        self.word = word
        running = .zero
        stop = nil
        isReported = false
        if word & JQRunControl.isRunning != 0 { size = Self.sizeOfProcess }
    }

    /// Adds a pause to the evaluation's running time, and stops it if it exceeds a limit. The caller holds the watch's
    /// lock.
    ///
    /// - Returns: the report of a slow evaluation, once; otherwise `nil`.
    mutating func addRunning(after pause: Duration, _ limits: JQLimits) -> JQSlowRun? {
        running += pause
        let isTooLong = running >= limits.noticedAfter
        if stop == nil, control.word.load(ordering: .relaxed) & JQRunControl.isEnding == 0 {
            stop = reason(limits)
            if stop != nil, notice() { control.stop() } else { stop = nil }
        }
        guard isTooLong, !isReported, notice() else { return nil }
        isReported = true
        return slowRun(.stillRuns)
    }

    /// Returns the report for a stage; `nil` for the end of an evaluation that was not reported as slow.
    func slowRun(_ stage: JQSlowRun.Stage) -> JQSlowRun? {
        guard stage != .ended || isReported, let locationCell = control.locationCell else { return nil }
        return JQSlowRun(locationCell, running: running, stage: stage)
    }

    private func reason(_ limits: JQLimits) -> JQStop? {
        if running >= limits.stoppedAfter { return .time(running) }
        let growth = Self.sizeOfProcess - size
        return growth > limits.growth ? .memory(growth) : nil
    }

    /// Sets the flag that makes the evaluation end only under the watch's lock; returns false if it has just ended.
    private func notice() -> Bool {
        let now = control.word.load(ordering: .relaxed)
        guard isAt(now) else { return false }
        return control.word.compareExchange(
            expected: now, desired: now | JQRunControl.isNoticed, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// The resident size of this process in bytes.
    private static var sizeOfProcess: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let fields = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}
