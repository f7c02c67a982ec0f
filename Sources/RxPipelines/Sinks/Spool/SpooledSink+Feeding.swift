import RxEngine
import RxJSON

/// Giving the sink what is stored.
extension SpooledSink {
    /// Gives the sink the next stored events, if it has few.
    ///
    /// - Returns: whether there were any.
    func feed() -> Bool {
        let (after, mayFeed) = lock.locked {
            (fed.lastRead, isStarted && backlog.mayRead && !isFrozen && isOpen && fed.count < Self.low)
        }
        guard mayFeed else { return false }
        let rows: [(number: Int64, event: SpooledEvent?)]
        do {
            rows = try store.events(of: context.key, after: after, limit: Self.batch)
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
            // What the sink before this one has done, and could not remove.
            let done = Set(backlog.finished.done.map(\.number))
            backlog.finish(unreadable.lazy.map { Row(number: $0.number, bytes: 0) })
            return rows.compactMap { number, row in
                if fed.inherited[number] != nil || done.contains(number) { return nil }
                return row.map {
                    let row = Row(number: number, bytes: $0.bytes)
                    let entry = SpoolFeed.Entry(stored: row, ordinal: $0.ordinal, failure: $0.failure)
                    return (place($0, entry, isRedelivered: number <= lastRestored), $0.failure?.cause)
                }
            }
        }
        give(events)
        return true
    }

    /// Gives the sink events that stay unsettled until it has finished them: they cannot be stored, and none is stored
    /// before them.
    func feedFromMemory() {
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            guard isStarted, !isFrozen, isOpen, backlog.isStoreFinished else { return [] }
            return backlog.takeFirst(Self.low - fed.count).map { event in
                let row = SpooledEvent(
                    event.origin, event.value, encoded: [], ordinal: event.ordinal, suffix: event.suffix,
                    isReplayed: event.isReplayed)
                return (place(row, .init(inMemory: event)), nil)
            }
        }
        give(events)
    }

    func place(_ row: SpooledEvent, _ entry: SpoolFeed.Entry, isRedelivered: Bool = false) -> PipelineEvent {
        let event = isRedelivered ? row.event.redelivered : row.event
        return PipelineEvent(row, SpooledDelivery(event, self, at: fed.add(entry)))
    }

    func give(_ events: [(PipelineEvent, failure: JSON?)]) {
        if events.isEmpty { return }
        scheduler.perform { [self] in
            for (event, failure) in events {
                if let failure {
                    context.passOn(failure, of: event)
                    continue
                }
                do {
                    if try sink.take(event) { context.finish(event) }
                } catch {
                    context.fail(error, on: event)
                }
            }
        }
    }
}
