import Dispatch
import RxEngine
import RxJSON

/// Writing to the store, on the queue of the spools.
extension SpooledSink {
    /// Schedules ``work()`` unless it is running.
    func wake() {
        if let action = lock.locked({ state.wake() }) { perform(action) }
    }

    private func perform(_ action: SpoolState.Action) {
        switch action {
        case .write: queue.async { self.work() }
        case .retryLater: queue.asyncAfter(deadline: .now() + Self.retryAfter.interval) { self.retry() }
        case .end(let end): end()
        }
    }

    /// Writes the next batch, and continues when its progress is noted.
    func work() {
        if lock.locked({ state.mayCount && backlog.stored == nil && !backlog.isPaused }) { count() }
        let (outcome, spools) = writeNext()
        // An event must not be removed before it is noted as stored: its source would emit it again after a kill, and
        // it would be stored again.
        let isPending =
            spools.map { spools in
                context.whenNoted(by: spools) { [self] in queue.async { self.continueWork(after: outcome) } }
            } ?? false
        if !isPending { continueWork(after: outcome) }
    }

    /// Writes the next batch, and settles the events that are stored.
    ///
    /// - Returns: the outcome; if events were stored, also the spools of other sinks that failed on some of them.
    func writeNext() -> (SpoolBacklog.Outcome, spools: [SpooledSink]?) {
        let batch = lock.locked { backlog.next() }
        let outcome = write(batch)
        for body in batch.waiting { body() }
        let hasNotes = outcome == .written && !batch.events.isEmpty
        return (outcome, hasNotes ? context.otherSpools(of: batch.events) : nil)
    }

    /// Passes stored events to the sink, and continues with the writes of the meantime.
    func continueWork(after outcome: SpoolBacklog.Outcome) {
        lock.locked { backlog.settled() }
        let isMore = feed()
        if lock.locked({ backlog.feedsFromMemory }) { feedFromMemory() }
        let actions = lock.locked {
            state.wrote(hasMore: isMore || backlog.hasWork(after: outcome), isPaused: backlog.isPaused)
        }
        for action in actions { perform(action) }
    }

    /// Retries the failed operations.
    func retry() {
        lock.locked {
            state.endPause()
            backlog.resume()
        }
        wake()
    }

    /// Calls `body` when the events that the sink has finished are removed from the store, or could not be removed.
    ///
    /// - Returns: `false`, without a call, if there is nothing to wait for.
    func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        let (replacement, isPending) = lock.locked { () -> (SpooledSink?, Bool) in
            if state.isClosed, let next = self.replacement { return (next, false) }
            return (nil, backlog.whenWritten(body))
        }
        if let replacement { return replacement.whenWritten(body) }
        if isPending { wake() }
        return isPending
    }

    /// Counts the stored events, after the replaced sink has stored its last ones.
    func count() {
        do {
            let size = try store.size(of: context.key)
            let last = try store.lastNumber(of: context.key)
            lock.locked {
                backlog.counted(size)
                lastRestored = lastRestored ?? last
            }
            recovered(.reading)
            if size.count > 0 {
                let events = counted(size.count, "event is", "events are")
                context.record(.notice, "continues: \(events) spooled", spooled: size.count)
            }
        } catch {
            failed(.reading, error)
        }
    }

    /// Writes a batch to the store.
    func write(_ batch: SpoolBacklog.Batch) -> SpoolBacklog.Outcome {
        let key = context.key
        let rows = batch.events.map {
            SpooledEvent($0.origin, $0.value, ordinal: $0.ordinal, suffix: $0.suffix, isReplayed: $0.isReplayed)
        }
        do {
            if !batch.isEmpty { try store.update(key, batch.finished.changes(adding: rows)) }
        } catch {
            // A full disk may still allow removals.
            let isRemoved =
                !rows.isEmpty
                && (batch.finished.isEmpty || (try? store.update(key, batch.finished.changes())) != nil)
            lock.locked { backlog.refused(batch, isFinishedWritten: isRemoved) }
            failed(rows.isEmpty ? .removing : isRemoved ? .storing : [.storing, .removing], error)
            return isRemoved ? .notStored : .failed
        }
        // A redelivered event may have been stored before, and events that cannot be read have an unknown size: the store
        // counts its events again.
        let isUnknown = batch.finished.hasUnknownSize || batch.events.contains { $0.origin.mayBeRepeated }
        let size = isUnknown ? try? store.size(of: key) : nil
        lock.locked { backlog.wrote(batch, bytes: rows.reduce(0) { $0 + $1.bytes }, counted: size) }
        if !batch.isEmpty { recovered(rows.isEmpty ? .removing : [.storing, .removing]) }
        recordFullness()
        for event in batch.events { context.finish(event) }
        return .written
    }

    func recordFullness() {
        guard let bytes = lock.locked({ backlog.fullness() }) else { return }
        if bytes > 0 {
            context.record(.warning, "spool full: \(memoryText(bytes)); further events wait in memory")
        } else {
            context.record(.notice, "spool has room again")
        }
    }

    func failed(_ failure: SpoolBacklog.FailedOperations, _ error: any Error) {
        if lock.locked({ backlog.failed(failure) }) {
            context.record(.warning, "spool failed, retrying: \(error); events wait in memory")
        }
    }

    func recovered(_ failure: SpoolBacklog.FailedOperations) {
        guard lock.locked({ backlog.recovered(failure) }) else { return }
        // The repair of a damaged spool may have lost events.
        if let size = try? store.size(of: context.key) { lock.locked { backlog.counted(size) } }
        context.record(.notice, "spool works again")
    }
}
