import RxEngine

// Unchecked: the lock guards all mutable state.
/// The events in flight in the steps of a pipeline, and in those of the pipelines that take events from it.
final class StepEntries: @unchecked Sendable {
    private let lock = Lock()
    // Below: guarded by the lock.
    private let deliveries = DeliveryList<EntryDelivery>()
    private var onEmpty: (@Sendable () -> Void)?
    /// Events that have left in this turn, if they are kept, and what forgets them in the next.
    private var leaving: [StepEntry] = []
    private var forgetLater: (@Sendable () -> Void)?

    var isEmpty: Bool { lock.locked { deliveries.count == 0 } }

    /// The events in the order in which they entered.
    var all: [StepEntry] {
        lock.locked {
            var all: [StepEntry] = []
            deliveries.forEach { all.append($0.entry) }
            return all
        }
    }

    /// The same, and those that have left in this turn: steps that fail may release events before they say so.
    var allBeforeThisTurn: [StepEntry] { lock.locked { leaving } + all }

    /// Keeps the events that leave for the rest of a turn.
    ///
    /// - Parameter later: calls its argument in the next turn.
    func keepLeaving(_ later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        let forget: @Sendable () -> Void = { [weak self] in self?.forgetLeaving() }
        lock.locked { forgetLater = { later(forget) } }
    }

    private func forgetLeaving() {
        let left = lock.locked {
            defer { leaving = [] }
            return leaving
        }
        withExtendedLifetime(left) {}
    }

    /// The event for the steps. One without a delivery is in flight nowhere.
    func enter(_ event: PipelineEvent) -> PipelineEvent {
        enter(StepEntry(event: event))
    }

    /// The event of an entry that these steps have processed before and start afresh with.
    func enter(_ entry: StepEntry) -> PipelineEvent {
        guard let delivery = entry.event.delivery else { return entry.event }
        return enter(entry, as: delivery.event, outside: delivery)
    }

    /// The event of an earlier run of the steps, for those that process it again.
    func enterAgain(_ entry: StepEntry) -> PipelineEvent {
        guard let delivery = entry.event.delivery else { return entry.event }
        return enter(entry, as: delivery.event.redelivered, outside: delivery)
    }

    private func enter(_ entry: StepEntry, as event: SourceEvent, outside: any Delivery) -> PipelineEvent {
        let delivery = EntryDelivery(entry, as: event, outside: outside, in: self)
        lock.locked { deliveries.append(delivery) }
        return entry.event.held(by: delivery)
    }

    /// The events that steps are to process again which have failed.
    ///
    /// - Parameters:
    ///   - failed: the delivery of the event that they failed on.
    ///   - steps: the names of the steps, for what they made of events.
    func left(without failed: (any Delivery)?, forgetting steps: [String]) -> [StepEntry] {
        let left = lock.locked {
            var left: [StepEntry] = []
            deliveries.forEach { delivery in
                if failed?.isMade(of: ObjectIdentifier(delivery)) != true { left.append(delivery.entry) }
            }
            return left
        }
        for entry in left { entry.event.changeResults { $0.forget(steps) } }
        return left
    }

    /// Calls `body` once, on any thread, when no event is in flight.
    func whenEmpty(_ body: @escaping @Sendable () -> Void) {
        let isEmpty = lock.locked {
            if deliveries.count > 0 { onEmpty = body }
            return deliveries.count == 0
        }
        if isEmpty { body() }
    }

    // MARK: - Called by the deliveries

    func leave(_ delivery: EntryDelivery) {
        let (forget, onEmpty) = lock.locked { () -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            deliveries.remove(delivery)
            if forgetLater != nil { leaving.append(delivery.entry) }
            return (forgetLater, deliveries.count == 0 ? self.onEmpty.take() : nil)
        }
        forget?()
        onEmpty?()
    }

    func locked<Result>(_ body: () -> Result) -> Result { lock.locked(body) }
}
