import RxEngine
import Synchronization

/// The job of a sink for the event at an index of a batch.
struct SinkJob<Job: Sendable>: Sendable {
    let index: Int
    let job: Job
}

// Unchecked: the lock guards all mutable state.
/// Events that a sink works on together. The job of each event ends once, by itself or at the end of the work.
final class SinkBatch: @unchecked Sendable {
    /// See ``SinkContext/whenNoted(by:_:)``.
    let spools: [SpooledSink]
    private let cancelled = Atomic(false)
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The events; `nil` in place of those that are done or have failed.
    private var events: [PipelineEvent?]
    private var hasEnded: [Bool]
    /// The descriptions of the jobs, for the records of finished ones, by index.
    private var descriptions: [Int: String] = [:]
    /// The index of the first event whose job is not prepared in this batch; `nil` if there is none.
    private var firstUnprepared: Int?
    /// The number of jobs that have not ended, plus one for the work, plus the holds.
    private var left: Int
    /// The number of holds on the batch, see ``hold()``.
    private var holds = 0
    /// `nil` after ``abandon()``.
    private var owner: Owner?

    /// The sink that processes the batch.
    private struct Owner {
        let context: SinkContext
        let onOver: @Sendable () -> Void
    }

    /// How the work on the batch has ended.
    private enum Outcome {
        case done
        case failed(any Error)
        case cancelled
    }

    /// - Parameters:
    ///   - events: the events.
    ///   - context: the context of the sink.
    ///   - onOver: called when the work, all jobs and all holds have ended.
    init(_ events: [PipelineEvent], _ context: SinkContext, onOver: @escaping @Sendable () -> Void) {
        self.events = events
        spools = context.otherSpools(of: events)
        owner = Owner(context: context, onOver: onOver)
        hasEnded = Array(repeating: false, count: events.count)
        left = events.count + 1
    }

    var count: Int { lock.locked { hasEnded.count } }

    /// Whether the batch is cancelled: no more of its jobs may begin. The caller of ``cancel()`` keeps or loses the
    /// unfinished events.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// The event at a index; `nil` if it is done or has failed.
    func event(at index: Int) -> PipelineEvent? { lock.locked { events[index] } }

    /// The events that are neither done nor have failed.
    var unfinished: [PipelineEvent] { lock.locked { events.compactMap(\.self) } }

    /// The size of jobs from which no more are prepared, in bytes.
    static let maximumBytes = 8 << 20

    /// Prepares the jobs, until they are large. An event whose preparation throws fails.
    ///
    /// - Parameters:
    ///   - prepare: makes the job for an event.
    ///   - description: describes a job, for the record when it is done; `nil` to write no record.
    ///   - size: measures a job in bytes.
    func jobs<Job>(
        _ prepare: (PipelineEvent) throws -> Job, _ description: ((Job) -> String)?,
        size: (Job) -> Int = { _ in 0 }
    ) -> [SinkJob<Job>] {
        var left = Self.maximumBytes
        let events = lock.locked { self.events }
        var jobs: [SinkJob<Job>] = []
        jobs.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            guard let event else { continue }
            if isCancelled { break }
            if left <= 0 {
                lock.locked { firstUnprepared = index }
                break
            }
            do {
                let job = try prepare(event)
                left -= size(job)
                jobs.append(SinkJob(index: index, job: job))
                if let description {
                    let text = description(job)
                    lock.locked { descriptions[index] = text }
                }
            } catch {
                fail(index, error)
            }
        }
        return jobs
    }

    /// Removes the events whose jobs are not prepared, and returns them.
    func removeUnprepared() -> [PipelineEvent] {
        lock.locked {
            guard let first = firstUnprepared, first < events.count else { return [] }
            let removed = events[first...].compactMap(\.self)
            left -= events.count - first
            events.removeSubrange(first...)
            hasEnded.removeSubrange(first...)
            firstUnprepared = nil
            return removed
        }
    }

    /// Ends the job at a index as done.
    func finish(_ index: Int) { end(index, .done) }
    /// Ends the job at a index as failed.
    func fail(_ index: Int, _ error: any Error) { end(index, .failed(error)) }
    /// Ends the job at a index as cancelled: its event stays unfinished.
    func cancelJob(_ index: Int) { end(index, .cancelled) }

    func finishRest() { endRest(.done) }
    func failRest(_ error: any Error) { endRest(.failed(error)) }
    func cancelRest() { endRest(.cancelled) }

    /// Ends the jobs that have not ended: from now on none of them can become done or fail. The work itself goes on until
    /// it ends or is disposed.
    ///
    /// - Returns: the events of these jobs, which are no longer unfinished.
    func takeRest() -> [PipelineEvent] {
        let taken = lock.locked { () -> [PipelineEvent] in
            var taken: [PipelineEvent] = []
            for index in events.indices where !hasEnded[index] {
                guard let event = events[index] else { continue }
                (hasEnded[index], events[index]) = (true, nil)
                taken.append(event)
            }
            return taken
        }
        for _ in taken { countDown() }
        return taken
    }

    /// Ends the work, or notes that it was cancelled.
    func endWork() { countDown() }

    /// Keeps the batch from being over, even if it is cancelled.
    ///
    /// - Returns: a closure that ends the hold, to be called once.
    func hold() -> @Sendable () -> Void {
        lock.locked { (left, holds) = (left + 1, holds + 1) }
        return { self.endHolds(1) }
    }

    /// Ends all holds. Called if no other batch follows, which would have to wait for them.
    func endHolds() { endHolds(.max) }

    private func endHolds(_ maximum: Int) {
        let count = lock.locked {
            let count = min(maximum, holds)
            holds -= count
            return count
        }
        for _ in 0..<count { countDown() }
    }

    /// Releases the events and the callback, which is not called any more.
    func abandon() {
        let released = lock.locked {
            defer { (owner, events) = (nil, []) }
            return (owner, events)
        }
        withExtendedLifetime(released) {}
    }

    private func endRest(_ outcome: Outcome) {
        for index in 0..<count { end(index, outcome) }
    }

    private func end(_ index: Int, _ outcome: Outcome) {
        let ended = lock.locked { () -> (context: SinkContext, event: PipelineEvent, description: String?)? in
            guard let owner, !hasEnded[index], let event = events[index] else { return nil }
            hasEnded[index] = true
            // Removed at once: if the batch is cancelled now, the event is no longer unfinished and is not repeated.
            if case .cancelled = outcome {} else { events[index] = nil }
            return (owner.context, event, descriptions.isEmpty ? nil : descriptions[index])
        }
        guard let (context, event, description) = ended else { return }
        switch outcome {
        case .done:
            if let description { context.record(done: description, for: event) }
            context.succeed(on: event)
        case .failed(let error): context.fail(error, on: event)
        case .cancelled: break
        }
        countDown()
    }

    private func countDown() {
        let over = lock.locked {
            left -= 1
            return left == 0 ? owner : nil
        }
        over?.onOver()
    }
}
