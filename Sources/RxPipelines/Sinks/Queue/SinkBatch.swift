import RxEngine

/// Events that a sink works on together. Each job ends once: before the others, or with the work.
final class SinkBatch<Job: Sendable>: Sendable {
    typealias Item = (event: PipelineEvent, job: Job)

    let jobs: [Job]
    private let state: Locked<State>

    /// What ending a job takes.
    private final class Batch: Sendable {
        let context: SinkContext
        let description: (@Sendable (Job) -> String)?
        let onOver: @Sendable () -> Void

        init(
            _ context: SinkContext, _ description: (@Sendable (Job) -> String)?,
            _ onOver: @escaping @Sendable () -> Void
        ) {
            (self.context, self.description, self.onOver) = (context, description, onOver)
        }
    }

    private struct State {
        /// `nil` if nobody is interested any more.
        var batch: Batch?
        /// `nil` in place of those that are done or have failed.
        var items: [Item?]
        var hasEnded: [Bool]
        /// The jobs that have not ended, and the work.
        var left: Int
    }

    private enum Outcome {
        case done
        case failed(any Error)
        case cancelled
    }

    /// - Parameters:
    ///   - description: describes what was done, for the record of a job.
    ///   - onOver: called when the work and all jobs have ended.
    init(
        _ items: [Item], _ context: SinkContext, _ description: (@Sendable (Job) -> String)?,
        onOver: @escaping @Sendable () -> Void
    ) {
        jobs = items.map(\.job)
        state = Locked(
            State(
                batch: Batch(context, description, onOver), items: items,
                hasEnded: items.map { _ in false }, left: items.count + 1))
    }

    /// The events that are neither done nor have failed.
    var unfinished: [PipelineEvent] {
        state.withLock { $0.items.compactMap { $0?.event } }
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
        let released = state.withLock { state in
            defer { (state.batch, state.items) = (nil, []) }
            return (state.batch, state.items)
        }
        withExtendedLifetime(released) {}
    }

    private func endRest(_ outcome: Outcome) {
        for place in jobs.indices { end(place, outcome) }
    }

    private func end(_ place: Int, _ outcome: Outcome) {
        let ended = state.withLock { state -> (Batch, Item)? in
            guard let batch = state.batch, !state.hasEnded[place], let item = state.items[place] else { return nil }
            state.hasEnded[place] = true
            // Before anything else: an event whose batch is cancelled now must not be repeated.
            if case .cancelled = outcome {} else { state.items[place] = nil }
            return (batch, item)
        }
        guard let (batch, item) = ended else { return }
        switch outcome {
        case .done:
            if let description = batch.description {
                batch.context.record(done: description(item.job), for: item.event)
            }
            batch.context.finish(item.event)
        case .failed(let error): batch.context.fail(error, on: item.event)
        case .cancelled: break
        }
        countDown()
    }

    private func countDown() {
        let over = state.withLock { state -> Batch? in
            state.left -= 1
            return state.left == 0 ? state.batch : nil
        }
        over?.onOver()
    }
}
