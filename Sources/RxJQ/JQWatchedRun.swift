import Glibc
import Synchronization

/// What the watch knows of a state's last evaluation.
struct JQWatchedRun {
    let mark: JQMark
    /// What it was at when the watch looked last.
    private var word: UInt64 = 0
    private var running = Duration.zero
    /// The process's size when the watch first saw it.
    private var size = 0
    private var isTold = false
    private(set) var stop: JQStop?

    init(_ mark: JQMark) {
        self.mark = mark
    }

    /// Whether it is still at the evaluation, or at the rest after one, that the watch has seen.
    func isAt(_ word: UInt64) -> Bool {
        let others = JQMark.isNoticed | JQMark.isEnding
        return self.word | others == word | others
    }

    /// It is at another.
    mutating func begin(_ word: UInt64) {
        self.word = word
        running = .zero
        stop = nil
        isTold = false
        if word & JQMark.isRunning != 0 { size = Self.sizeOfProcess }
    }

    /// It has gone on for another while; the watch's lock is held.
    ///
    /// - Returns: what is to be told of it.
    mutating func goesOn(after pause: Duration, _ limits: JQLimits) -> JQSlowRun? {
        running += pause
        let isTooLong = running >= limits.noticedAfter
        if stop == nil, mark.word.load(ordering: .relaxed) & JQMark.isEnding == 0 {
            stop = reason(limits)
            if stop != nil, hold() { mark.stop() } else { stop = nil }
        }
        guard isTooLong, !isTold, hold() else { return nil }
        isTold = true
        return told(.goesOn)
    }

    /// It as it is told of.
    func told(_ stage: JQSlowRun.Stage) -> JQSlowRun? {
        guard stage != .ended || isTold, let place = mark.place else { return nil }
        return JQSlowRun(
            location: place.location, pipeline: place.pipeline, pipelines: place.pipelines, running: running,
            stage: stage)
    }

    private func reason(_ limits: JQLimits) -> JQStop? {
        if running >= limits.stoppedAfter { return .time(running) }
        guard running >= .milliseconds(100) else { return nil }
        let growth = Self.sizeOfProcess - size
        return growth > limits.growth ? .memory(growth) : nil
    }

    /// Sees to it that the evaluation ends only under the watch's lock; false when it has just ended.
    private func hold() -> Bool {
        let now = mark.word.load(ordering: .relaxed)
        guard isAt(now) else { return false }
        return mark.word.compareExchange(
            expected: now, desired: now | JQMark.isNoticed, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// In bytes.
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
