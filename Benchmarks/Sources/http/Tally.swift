import Dispatch
import Glibc
import RxEngine

// Unchecked: everything happens on the scheduler's queue until `end` has returned.
/// The totals of all polls between two moments.
final class Tally: @unchecked Sendable {
    /// By how many nanoseconds each poll began late.
    private(set) var late: [Int64] = []
    /// The number of failed polls.
    private(set) var failed = 0
    /// The reason of one failure.
    private(set) var trouble = ""
    /// The processor time used, in seconds.
    private(set) var spent = 0.0

    private let scheduler: SerialDispatchQueueScheduler
    private var isMeasuring = false

    init(_ scheduler: SerialDispatchQueueScheduler) {
        self.scheduler = scheduler
    }

    func begin() {
        onQueue { [self] in
            spent = -Self.processorTime()
            isMeasuring = true
        }
    }

    func end() {
        onQueue { [self] in
            spent += Self.processorTime()
            isMeasuring = false
        }
    }

    func take(_ nanosecondsLate: Int64, _ trouble: String?) {
        guard isMeasuring else { return }
        late.append(nanosecondsLate)
        guard let trouble else { return }
        failed += 1
        self.trouble = trouble
    }

    /// Runs `body` between two outcomes.
    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        _ = scheduler.schedule(()) {
            body()
            done.signal()
            return Disposables.create()
        }
        done.wait()
    }

    /// The processor time of this process, in seconds.
    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
    }
}
