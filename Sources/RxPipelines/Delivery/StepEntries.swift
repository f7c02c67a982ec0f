import RxEngine

// Unchecked: the lock guards all mutable state.
/// The events in flight in the steps of a pipeline, and in those of the pipelines that take events from it.
final class StepEntries: @unchecked Sendable {
    private let lock = Lock()
    // Below: guarded by the lock.
    private let deliveries = DeliveryList<EntryDelivery>()
    private var entered = 0
    private var onEmpty: (@Sendable () -> Void)?

    var isEmpty: Bool { lock.locked { deliveries.count == 0 } }

    /// The events in the order in which they entered.
    var all: [StepEntry] { Self.ordered(numbered) }

    /// The events by their numbers.
    var numbered: [Int: StepEntry] {
        lock.locked {
            var all: [Int: StepEntry] = [:]
            // The last time where one has entered again while a later pipeline had what was made of it.
            deliveries.forEach { all[$0.number] = $0.entry }
            return all
        }
    }

    static func ordered(_ numbered: [Int: StepEntry]) -> [StepEntry] {
        numbered.sorted { $0.key < $1.key }.map(\.value)
    }

    /// What these events are when they have left.
    func numbered(_ events: [PipelineEvent]) -> [Int: StepEntry] {
        let deliveries = events.compactMap { $0.delivery as? EntryDelivery }
        return lock.locked { Dictionary(deliveries.map { ($0.number, $0.entry) }) { $1 } }
    }

    /// The event for the steps. One without a delivery is in flight nowhere.
    func enter(_ event: PipelineEvent) -> PipelineEvent {
        guard let delivery = event.delivery else { return event }
        return enter(event, EntryDelivery(StepEntry(event: event), as: delivery.event, outside: delivery, in: self))
    }

    /// The event of an earlier pipeline, for the steps of the one that replaces it.
    func enterAgain(_ entry: StepEntry) -> PipelineEvent {
        guard let delivery = entry.event.delivery else { return entry.event }
        return enter(
            entry.event, EntryDelivery(entry, as: delivery.event.redelivered, outside: delivery, in: self))
    }

    /// An event that has entered these steps, for those that have started again.
    func enterAgain(_ event: PipelineEvent) -> PipelineEvent {
        guard let delivery = event.delivery as? EntryDelivery else { return event }
        return enter(event, EntryDelivery(restarting: delivery))
    }

    private func enter(_ event: PipelineEvent, _ delivery: EntryDelivery) -> PipelineEvent {
        lock.locked {
            if delivery.number == 0 {
                entered += 1
                delivery.number = entered
            }
            deliveries.append(delivery)
        }
        return event.held(by: delivery)
    }

    /// The events in flight, as they were outside, but for one.
    ///
    /// - Parameter failed: the delivery of that event.
    func left(without failed: (any Delivery)?) -> [PipelineEvent] {
        lock.locked {
            var left: [PipelineEvent] = []
            deliveries.forEach { delivery in
                if failed?.isMade(of: ObjectIdentifier(delivery)) != true { left.append(delivery.entry.event) }
            }
            return left
        }
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
        let onEmpty = lock.locked { () -> (@Sendable () -> Void)? in
            deliveries.remove(delivery)
            return deliveries.count == 0 ? self.onEmpty.take() : nil
        }
        onEmpty?()
    }

    func locked<Result>(_ body: () -> Result) -> Result { lock.locked(body) }
}
