import RxEngine
import Synchronization

/// What a sink does for the event at a place of a batch.
struct SinkJob<Job: Sendable>: Sendable {
    let place: Int
    let job: Job
}

// Unchecked: the lock guards all mutable state.
/// Events that a sink works on together. Each job ends once: before the others, or with the work.
final class SinkBatch: @unchecked Sendable {
    /// See ``SinkContext/whenNoted(by:_:)``.
    let spools: [SpooledSink]
    private let cancelled = Atomic(false)
    private let lock = Lock()
    // Below: guarded by the lock.
    /// `nil` in place of those that are done or have failed.
    private var events: [PipelineEvent?]
    private var hasEnded: [Bool]
    /// What is recorded of a job when it is done.
    private var descriptions: [Int: String] = [:]
    /// The jobs that have not ended, and the work.
    private var left: Int
    /// `nil` if nobody is interested any more.
    private var owner: Owner?

    private struct Owner {
        let context: SinkContext
        let onOver: @Sendable () -> Void
    }

    private enum Outcome {
        case done
        case failed(any Error)
        case cancelled
    }

    /// - Parameter onOver: called when the work and all jobs have ended.
    init(_ events: [PipelineEvent], _ context: SinkContext, onOver: @escaping @Sendable () -> Void) {
        self.events = events
        spools = context.otherSpools(of: events)
        owner = Owner(context: context, onOver: onOver)
        hasEnded = Array(repeating: false, count: events.count)
        left = events.count + 1
    }

    var count: Int { lock.locked { hasEnded.count } }

    /// Whether nothing more may be begun of it: what is not done is kept, or lost, by whoever cancels it.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// The event at a place; `nil` if it is done or has failed.
    func event(at place: Int) -> PipelineEvent? { lock.locked { events[place] } }

    /// The events that are neither done nor have failed.
    var unfinished: [PipelineEvent] { lock.locked { events.compactMap(\.self) } }

    /// The jobs for the events. Those events fail for which there can be none.
    ///
    /// - Parameter description: describes what was done, for the record of a job.
    func jobs<Job>(
        _ prepare: (PipelineEvent) throws -> Job, _ description: ((Job) -> String)?
    ) -> [SinkJob<Job>] {
        let events = lock.locked { self.events }
        var jobs: [SinkJob<Job>] = []
        jobs.reserveCapacity(events.count)
        for (place, event) in events.enumerated() {
            guard let event else { continue }
            if isCancelled { break }
            do {
                let job = try prepare(event)
                jobs.append(SinkJob(place: place, job: job))
                if let description {
                    let text = description(job)
                    lock.locked { descriptions[place] = text }
                }
            } catch {
                fail(place, error)
            }
        }
        return jobs
    }

    /// The job at a place is done.
    func finish(_ place: Int) { end(place, .done) }
    /// The job at a place has failed.
    func fail(_ place: Int, _ error: any Error) { end(place, .failed(error)) }
    /// The job at a place was cancelled: nothing of it is done.
    func giveBack(_ place: Int) { end(place, .cancelled) }

    func finishRest() { endRest(.done) }
    func failRest(_ error: any Error) { endRest(.failed(error)) }
    func giveBackRest() { endRest(.cancelled) }

    /// The work has ended, or was cancelled.
    func endWork() { countDown() }

    /// Calls nobody any more, and releases the events.
    func abandon() {
        let released = lock.locked {
            defer { (owner, events) = (nil, []) }
            return (owner, events)
        }
        withExtendedLifetime(released) {}
    }

    private func endRest(_ outcome: Outcome) {
        for place in 0..<count { end(place, outcome) }
    }

    private func end(_ place: Int, _ outcome: Outcome) {
        let ended = lock.locked { () -> (context: SinkContext, event: PipelineEvent, description: String?)? in
            guard let owner, !hasEnded[place], let event = events[place] else { return nil }
            hasEnded[place] = true
            // Before anything else: an event whose batch is cancelled now must not be repeated.
            if case .cancelled = outcome {} else { events[place] = nil }
            return (owner.context, event, descriptions.isEmpty ? nil : descriptions[place])
        }
        guard let (context, event, description) = ended else { return }
        switch outcome {
        case .done:
            if let description { context.record(done: description, for: event) }
            context.finish(event)
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
