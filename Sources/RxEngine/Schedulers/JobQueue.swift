// Unchecked: the lock guards all mutable state.
/// Jobs that run one at a time, in the order in which they were appended, on something that may run several at once.
///
/// The caller that finds the queue idle has to have a batch of it run; each batch says whether another one must follow.
/// So at most one batch is due or running at any time.
final class JobQueue<Job>: @unchecked Sendable {
    /// For how many nanoseconds a batch starts jobs, so that other work gets to run.
    private static var maxBatchTime: UInt64 { 1_000_000 }
    /// How many jobs a batch runs.
    private static var maxBatchSize: Int { 256 }

    private let lock = Lock()
    @exclusivity(unchecked) private var jobs = RingBuffer<Job>()
    /// Whether a batch is due or running.
    private var isActive = false

    /// Appends a job.
    ///
    /// - Returns: whether the queue was idle. The caller must then have ``runBatch(_:)`` called.
    func append(_ job: Job) -> Bool {
        lock.locked {
            jobs.append(job)
            defer { isActive = true }
            return !isActive
        }
    }

    /// Passes jobs to `run`, until there is none or the batch is full.
    ///
    /// - Returns: whether another batch has to follow. The queue is idle otherwise.
    func runBatch(_ run: (Job) -> Void) -> Bool {
        let start = TimerQueue.now
        var count = 0
        while let job = lock.locked({ next() }) {
            run(job)
            count += 1
            // Reads the clock after the first, second, fourth, eighth ... job only.
            guard count & (count - 1) == 0 else { continue }
            if count >= Self.maxBatchSize || TimerQueue.now - start > Self.maxBatchTime { return true }
        }
        return false
    }

    /// The caller holds the lock.
    private func next() -> Job? {
        isActive = !jobs.isEmpty
        if isActive { return jobs.removeFirst() }
        if jobs.capacity > 1024 { jobs = RingBuffer() }
        return nil
    }
}
