import RxEngine

// Unchecked: the lock guards all mutable state.
/// The events in flight in the steps of a pipeline and in those of the pipelines that take events from it.
final class StepEntryTracker: @unchecked Sendable {
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
            // If an event has entered again while a later pipeline still held its first entry, the last entry counts.
            deliveries.forEach { all[$0.number] = $0.entry }
            return all
        }
    }

    static func ordered(_ numbered: [Int: StepEntry]) -> [StepEntry] {
        numbered.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The entries of these events by their numbers, also of those that have left.
    func numbered(_ events: [PipelineEvent]) -> [Int: StepEntry] {
        let deliveries = events.compactMap { $0.delivery as? EntryDelivery }
        return lock.locked { Dictionary(deliveries.map { ($0.number, $0.entry) }) { $1 } }
    }

    /// Enters an event: returns it for the steps. An event without a delivery is not tracked.
    func enter(_ event: PipelineEvent) -> PipelineEvent {
        guard let delivery = event.delivery else { return event }
        return enter(event, EntryDelivery(StepEntry(event: event), as: delivery.event, outside: delivery, in: self))
    }

    /// Enters an event that was in flight in a pipeline that this one replaces.
    func enterAgain(_ entry: StepEntry) -> PipelineEvent {
        guard let delivery = entry.event.delivery else { return entry.event }
        return enter(
            entry.event, EntryDelivery(entry, as: delivery.event.redelivered, outside: delivery, in: self))
    }

    /// Enters an event again that was in flight in these steps when they restarted.
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

    /// The events in flight, as they were before they entered, except one.
    ///
    /// - Parameter failed: the delivery of the excepted event.
    func left(without failed: (any Delivery)?) -> [PipelineEvent] {
        lock.locked {
            var left: [PipelineEvent] = []
            deliveries.forEach { delivery in
                if failed?.isMade(of: ObjectIdentifier(delivery)) != true { left.append(delivery.entry.event) }
            }
            return left
        }
    }

    /// Calls `body` once, on any thread, as soon as no event is in flight.
    func whenEmpty(_ body: @escaping @Sendable () -> Void) {
        let isEmpty = lock.locked {
            if deliveries.count > 0 { onEmpty = body }
            return deliveries.count == 0
        }
        if isEmpty { body() }
    }

    // MARK: - Called by the deliveries

    /// Removes a delivery that is being deinitialized.
    func leave(_ delivery: EntryDelivery) {
        let onEmpty = lock.locked { () -> (@Sendable () -> Void)? in
            deliveries.remove(delivery)
            return deliveries.count == 0 ? self.onEmpty.take() : nil
        }
        onEmpty?()
    }

    func locked<Result>(_ body: () -> Result) -> Result { lock.locked(body) }
}
