import RxDiagnostics
import RxEngine
import RxJSON

/// The numbers of events that wait for a sink.
package struct SinkQueueSummary: Sendable {
    /// The key of the sink: "api/http".
    package let sink: String
    /// Whether the configuration has the sink.
    package let isRunning: Bool
    /// The number of events in memory.
    package let queued: Int
    /// The number of those that the sink has which a reload has replaced. That sink still tries to finish them.
    package let queuedInReplaced: Int
    /// The number of events on disk.
    package let spooled: Int
    /// The size of the events on disk, in bytes.
    package let bytes: Int
    /// The time of the first event on disk, in seconds since 1970.
    package let oldest: Double?
}

/// An event that waits for a sink, as `rxwatchctl spool show` shows it.
package struct WaitingEventSummary: Sendable {
    package let id: String
    package let time: Double
    package let value: JSON
    /// Why the sink has failed on it, if the receivers of `onError` have it.
    package let failure: JSON?
    /// Whether the event waits on disk.
    package let isStored: Bool
}

extension Graph {
    /// The sinks that events wait for, in memory or on disk, also those that the configuration no longer has.
    package func waitingForSinks(_ store: (any SpoolStore)?) throws -> [SinkQueueSummary] {
        let running = runs.flatMap(\.sinkSummaries)
        let known = Set(running.map(\.key))
        let abandoned = try store?.sinks().filter { !known.contains($0) }.sorted() ?? []
        return try running.compactMap { try waiting(for: $0.key, $0, store) }
            + abandoned.compactMap { try waiting(for: $0, nil, store) }
    }

    /// The events that wait for one sink; `nil` if there are none.
    package func waiting(for sink: String, _ store: (any SpoolStore)?) throws -> SinkQueueSummary? {
        try waiting(for: sink, runs.lazy.flatMap(\.sinkSummaries).first { $0.key == sink }, store)
    }

    /// The runs that a reload has replaced, and whose own sink of this key has not finished.
    private func replaced(_ key: String) -> [PipelineRun] { retired.all.filter { $0.ownSinkKeys.contains(key) } }

    private func waiting(
        for key: String, _ sink: SinkSet.Summary?, _ store: (any SpoolStore)?
    ) throws -> SinkQueueSummary? {
        let size: (count: Int, bytes: Int) = try store?.size(of: key) ?? (0, 0)
        let ofReplaced = replaced(key).reduce(0) { $0 + $1.queued(of: key) }
        let queued = (sink?.flow.queued ?? 0) + ofReplaced
        if size.count == 0, queued == 0 { return nil }
        let first = try store?.events(of: key, after: 0, limit: 1, bytes: 1).first?.event
        let inMemory = first == nil ? unfinished(of: key).first : nil
        return SinkQueueSummary(
            sink: key, isRunning: sink != nil, queued: queued, queuedInReplaced: ofReplaced, spooled: size.count,
            bytes: size.bytes,
            oldest: first?.event.time ?? inMemory?.time)
    }

    /// The events in memory that wait for a sink, those of sinks that a reload has replaced first.
    private func unfinished(of key: String) -> [PipelineEvent] {
        let running = runs.first { $0.sinkKeys.contains(key) }?.unfinished(of: key) ?? []
        return replaced(key).flatMap { $0.unfinished(of: key) } + running
    }

    /// The first events that wait for a sink, those on disk first; `nil` if there is no such sink.
    package func waitingEvents(
        of sink: String, limit: Int, _ store: (any SpoolStore)?
    ) throws -> [WaitingEventSummary]? {
        var (events, after) = ([WaitingEventSummary](), Int64(0))
        // Large values are read a few at a time.
        while let store, events.count < limit {
            let rows = try store.events(of: sink, after: after, limit: limit - events.count, bytes: 1 << 20)
            guard let last = rows.last else { break }
            after = last.number
            events += rows.compactMap { row in
                row.event.map {
                    WaitingEventSummary(
                        id: $0.id, time: $0.event.time, value: $0.value, failure: $0.failure?.cause, isStored: true)
                }
            }
        }
        events += unfinished(of: sink).prefix(limit - events.count).map {
            WaitingEventSummary(id: $0.id, time: $0.time, value: $0.value, failure: nil, isStored: false)
        }
        return events.isEmpty && !sinkKeys.contains(sink) ? nil : events
    }

    /// Makes a sink try again at once what it has failed on.
    ///
    /// - Returns: whether the configuration has such a sink.
    package func endPauses(of sink: String) -> Bool {
        guard let run = runs.first(where: { $0.sinkKeys.contains(sink) }) else { return false }
        run.endPauses(of: sink)
        return true
    }

    /// Drops the events with these ids that wait for a sink, or all of them. An event that the sink is working on stays.
    ///
    /// - Parameters:
    ///   - sink: the key of the sink.
    ///   - ids: the ids; `nil` for all events.
    ///   - store: the store of the spools.
    ///   - done: called with the number of dropped events; `nil` if there is no such sink, and no event waits for one.
    package func dropWaiting(
        for sink: String, _ ids: Set<String>?, _ store: (any SpoolStore)?,
        _ done: @escaping @Sendable (DropResult?) -> Void
    ) {
        let isMatching: @Sendable (String) -> Bool = { ids?.contains($0) ?? true }
        if let run = runs.first(where: { $0.sinkKeys.contains(sink) }) {
            return run.drop(from: sink, isMatching) { done($0) }
        }
        if retired.all.contains(where: { $0.sinkKeys.contains(sink) }) {
            return done(.failure(SinkReplacementError()))
        }
        guard let store else { return done(nil) }
        SpooledSink.queue.async {
            do {
                guard try store.size(of: sink).count > 0 else { return done(nil) }
                done(SpooledSink.drop(isMatching, of: sink, in: store))
            } catch {
                done(.failure(error))
            }
        }
    }
}
