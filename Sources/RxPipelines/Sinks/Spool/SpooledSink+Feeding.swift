import RxEngine
import RxJSON

/// Passing stored events to the sink.
extension SpooledSink {
    /// Passes the next stored events to the sink if it has few.
    ///
    /// - Returns: whether there were any.
    func feed() -> Bool {
        let (after, mayFeed) = lock.locked {
            (
                fed.lastRead,
                state.isRunning && backlog.mayRead && !isFrozen && fed.count < Self.lowWaterMark
                    && fed.bytes < Self.bytes
            )
        }
        guard mayFeed else { return false }
        let rows: [(number: Int64, event: SpooledEvent?)]
        do {
            rows = try store.events(of: context.key, after: after, limit: Self.batch, bytes: Self.bytes)
        } catch {
            failed(.reading, error)
            return false
        }
        recovered(.reading)
        guard let end = rows.last else {
            if limit == 0 { feedFromMemory() }
            return false
        }
        let unreadable = rows.filter { $0.event == nil }
        if !unreadable.isEmpty {
            context.record(
                .warning, "\(unreadable.count) spooled events cannot be read, and are lost", dropped: unreadable.count)
        }
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            fed.lastRead = end.number
            lost += unreadable.count
            // Events that the replaced sink has finished and could not remove.
            let done = Set(backlog.finished.done.map(\.number))
            backlog.finish(unreadable.lazy.map { Row(number: $0.number, bytes: 0) })
            return rows.compactMap { number, row in
                if fed.inherited[number] != nil || done.contains(number) { return nil }
                return row.map {
                    let row = Row(number: number, bytes: $0.bytes)
                    let entry = SpoolFeed.Entry(stored: row, ordinal: $0.ordinal, failure: $0.failure)
                    return (enter($0, entry, isRedelivered: number <= lastRestored ?? 0), $0.failure?.cause)
                }
            }
        }
        deliver(events)
        return true
    }

    /// Passes events from memory to the sink, since they cannot be stored and no stored event precedes them. They stay
    /// unsettled until the sink has finished them.
    func feedFromMemory() {
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            guard state.isRunning, !isFrozen, backlog.isStoreFinished else { return [] }
            return backlog.takeFirst(Self.lowWaterMark - fed.count).map { event in
                let row = SpooledEvent(
                    event.origin, event.value, encoded: [], ordinal: event.ordinal, suffix: event.suffix,
                    isReplayed: event.isReplayed)
                return (enter(row, .init(inMemory: event)), nil)
            }
        }
        deliver(events)
    }

    /// Adds an event to the feed, with a delivery whose owner is this spool.
    func enter(_ row: SpooledEvent, _ entry: SpoolFeed.Entry, isRedelivered: Bool = false) -> PipelineEvent {
        let event = isRedelivered ? row.event.redelivered : row.event
        return PipelineEvent(row, SpooledDelivery(event, self, at: fed.add(entry)))
    }

    func deliver(_ events: [(PipelineEvent, failure: JSON?)]) {
        if events.isEmpty { return }
        scheduler.perform { [self] in
            for (event, failure) in events {
                if let failure {
                    context.passOn(failure, of: event)
                    continue
                }
                do {
                    if try sink.receive(event) { context.succeed(on: event) }
                } catch {
                    context.fail(error, on: event)
                }
            }
        }
    }
}
