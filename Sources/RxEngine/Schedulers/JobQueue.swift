// Unchecked: the lock guards all mutable state.
/// Jobs that run one at a time, in the order in which they were appended, on something that may run several at once.
///
/// The caller that finds the queue idle has to have a batch of it run; each batch says whether another one must follow.
/// So at most one batch is due or running at any time.
final class JobQueue<Job>: @unchecked Sendable {
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

    /// Passes jobs to `run`, until there is none or the batch is over.
    ///
    /// - Returns: whether another batch has to follow. The queue is idle otherwise.
    func runBatch(_ run: (Job) -> Void) -> Bool {
        var batch = BatchLimit(start: TimerQueue.now)
        while let job = lock.locked({ next() }) {
            run(job)
            if batch.countItem() { return true }
        }
        return false
    }

    /// Called under the lock.
    private func next() -> Job? {
        isActive = !jobs.isEmpty
        if isActive { return jobs.removeFirst() }
        if jobs.capacity > 1024 { jobs = RingBuffer() }
        return nil
    }
}
