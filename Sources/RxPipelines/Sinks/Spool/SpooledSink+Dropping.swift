import RxEngine

/// The error of dropping events of a sink that a reload is replacing, or that is being stopped.
struct SinkReplacementError: Error, CustomStringConvertible {
    var description: String { "the sink is being replaced or stopped; try again" }
}

/// What an operator does with the events of a spooled sink.
extension SpooledSink {
    /// Ends the pauses of failed writes and of the inner sink's attempts.
    func endPauses() {
        sink.endPauses()
        queue.async { self.retry() }
    }

    /// Drops the events that wait on disk, in memory or in the queue of the inner sink, and whose ids match.
    ///
    /// - Parameters:
    ///   - isMatching: whether an id matches.
    ///   - done: called with the number of dropped events, when they are removed from the store or could not be.
    func drop(_ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void) {
        queue.async { [self] in
            let (next, isReady) = lock.locked { () -> (SpooledSink?, Bool) in
                if state.isClosed, let next = replacement { return (next, false) }
                return (nil, state.isRunning)
            }
            if let next { return next.drop(isMatching, done) }
            // Another sink may be working on stored events of which this one does not know yet.
            guard isReady else { return done(.failure(SinkReplacementError())) }
            let (rows, stored): ([Row], [SpooledEvent])
            do { (rows, stored) = try waitingRows(isMatching) } catch { return done(.failure(error)) }
            let incoming = lock.locked { () -> [PipelineEvent] in
                let all = backlog.takeIncoming()
                for event in all where !isMatching(event.id) { backlog.append(event) }
                let dropped = all.filter { isMatching($0.id) }
                backlog.finish(rows)
                lost += rows.count + dropped.count
                return dropped
            }
            context.drop(incoming, because: SinkContext.onRequest)
            // Behind the events that are being passed to it.
            scheduler.perform { [self] in
                sink.drop(isMatching) { [self] result in
                    let all = result.map { $0 + rows.count + incoming.count }
                    let end = { @Sendable [context] in
                        for event in stored {
                            context.recordDrop(of: event.id, from: event.event, because: SinkContext.onRequest)
                        }
                        done(all)
                    }
                    if !whenWritten(end) { end() }
                }
            }
        }
    }

    /// The most stored events that have a record when they are dropped: of more, most records would be suppressed, and a
    /// spool may have millions.
    private static let maximumRecorded = 1000

    /// The stored events that the inner sink does not have yet, and the first of them that can be read, without their
    /// values.
    private func waitingRows(_ isMatching: (String) -> Bool) throws -> (rows: [Row], events: [SpooledEvent]) {
        let (after, finished) = lock.locked {
            (fed.lastRead, Set(backlog.finished.done.map(\.number)).union(fed.inherited.keys))
        }
        var events: [SpooledEvent] = []
        let rows = try Self.rows(of: context.key, in: store, after: after) { number, event in
            guard !finished.contains(number), isMatching(event?.id ?? "") else { return false }
            if let event, events.count < Self.maximumRecorded { events.append(event.withoutValue) }
            return true
        }
        return (rows, events)
    }

    /// Drops events that wait for a sink that the configuration does not have. Called on the queue of the spools.
    static func drop(_ isMatching: (String) -> Bool, of sink: String, in store: any SpoolStore) -> DropResult {
        DropResult {
            let rows = try rows(of: sink, in: store, after: 0) { _, event in isMatching(event?.id ?? "") }
            try store.update(sink, SpoolChanges(removed: rows.map(\.number)))
            return rows.count
        }
    }

    private static func rows(
        of sink: String, in store: any SpoolStore, after first: Int64, _ isMatching: (Int64, SpooledEvent?) -> Bool
    ) throws -> [Row] {
        var (rows, after) = ([Row](), first)
        while true {
            let read = try store.events(of: sink, after: after, limit: batch, bytes: bytes)
            guard let last = read.last else { return rows }
            after = last.number
            for (number, event) in read where isMatching(number, event) {
                rows.append(Row(number: number, bytes: event?.bytes ?? 0))
            }
        }
    }
}
