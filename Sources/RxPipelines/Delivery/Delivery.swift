import RxJSON

/// The obligation to process a source event. Everything that will still act on the event retains it: queues, timers,
/// buffers, sinks at work. The event is settled when the last reference is released.
protocol Delivery: AnyObject, Sendable {
    var event: SourceEvent { get }

    /// All source events that are settled no earlier than this is released: several if the event is made of several.
    var sourceEvents: [SourceEvent] { get }

    /// The value that the source emitted; `nil` if it is no longer known.
    var sourceValue: JSON? { get }

    /// Numbers the next event that is made of the source event and reaches `sink` in `branch`.
    func begin(at sink: String, in branch: EventBranch) -> Arrival

    /// The arrival of the event with this number at a sink.
    func arrival(_ number: Int, at sink: String) -> Arrival

    /// Notes that the sink has finished the event with this number.
    func finish(_ number: Int, at sink: String)

    /// Notes that the sink has failed on the event with this number, which goes to `onError`.
    func fail(_ number: Int, at sink: String, _ failure: JSON)

    /// Changes the results of stateful steps for the event.
    func changeResults(_ body: (inout StepResults) -> Void)

    /// Counts the memory of a value that is made of the event with the unsettled memory of its source; `nil` if a spool
    /// bounds that memory.
    func countDerived(_ byteCount: Int) -> DerivedMemory?

    /// Whether the condition holds for a source of the event.
    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool

    /// Adds to the number of steps that collect the event: they hold it until their input completes.
    func addCollectors(_ number: Int)

    /// The memory of the event's value and step results, in bytes, if a single step collects the event; otherwise 0.
    var memoryOfSoleCollector: Int { get }

    /// The delivery without those of steps, see ``EntryDelivery``.
    var outsideSteps: any Delivery { get }

    /// The delivery without the ``EntryDelivery`` of these steps.
    func outside(of steps: StepEntryTracker) -> any Delivery

    /// Whether the event is made of the event that entered steps with this ``EntryDelivery``.
    func isMade(of entry: ObjectIdentifier) -> Bool

    /// Whether the event is in flight in any of these steps.
    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool

    /// The spool that stores the progress of the receivers of an event that its sink failed on.
    var spool: SpooledSink? { get }
}

extension Delivery {
    var sourceEvents: [SourceEvent] { [event] }

    var sourceValue: JSON? { nil }

    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool { false }

    func addCollectors(_ number: Int) {}

    var memoryOfSoleCollector: Int { 0 }

    var outsideSteps: any Delivery { self }

    func outside(of steps: StepEntryTracker) -> any Delivery { self }

    func isMade(of entry: ObjectIdentifier) -> Bool { false }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool { false }

    var spool: SpooledSink? { nil }
}

/// The delivery of an event that is made of several events. Sinks and steps record their progress in the latest one.
final class JoinedDelivery: Delivery {
    let event: SourceEvent
    private let others: [any Delivery]
    private let last: any Delivery

    private init(_ event: SourceEvent, _ others: [any Delivery], last: any Delivery) {
        self.event = event
        self.others = others
        self.last = last
    }

    /// Joins deliveries; the same delivery may occur several times.
    ///
    /// - Parameters:
    ///   - deliveries: the deliveries of the events, in their order.
    ///   - last: the delivery of the latest event; `nil` if that event is only remembered.
    ///   - event: the latest event.
    /// - Returns: `nil` if there is no delivery.
    static func of(
        _ deliveries: [any Delivery], last: (any Delivery)?, event: SourceEvent
    ) -> (any Delivery)? {
        guard let last = last ?? deliveries.last else { return nil }
        let others = deliveries.filter { $0 !== last }
        return others.isEmpty && last.event == event ? last : JoinedDelivery(event, others, last: last)
    }

    var sourceEvents: [SourceEvent] { others.flatMap(\.sourceEvents) + last.sourceEvents }
    // The latest event may only be remembered.
    var sourceValue: JSON? { last.event == event ? last.sourceValue : nil }

    func begin(at sink: String, in branch: EventBranch) -> Arrival { last.begin(at: sink, in: branch) }
    func arrival(_ number: Int, at sink: String) -> Arrival { last.arrival(number, at: sink) }
    func finish(_ number: Int, at sink: String) { last.finish(number, at: sink) }
    func fail(_ number: Int, at sink: String, _ failure: JSON) { last.fail(number, at: sink, failure) }
    func changeResults(_ body: (inout StepResults) -> Void) { last.changeResults(body) }

    func countDerived(_ byteCount: Int) -> DerivedMemory? { last.countDerived(byteCount) }

    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool {
        last.hasSource(where: condition) || others.contains { $0.hasSource(where: condition) }
    }

    func addCollectors(_ number: Int) {
        for delivery in others + [last] { delivery.addCollectors(number) }
    }

    var memoryOfSoleCollector: Int {
        others.reduce(last.memoryOfSoleCollector) { $0 + $1.memoryOfSoleCollector }
    }

    var spool: SpooledSink? { last.spool }

    var outsideSteps: any Delivery { map(\.outsideSteps) }

    func outside(of steps: StepEntryTracker) -> any Delivery { map { $0.outside(of: steps) } }

    private func map(_ transform: (any Delivery) -> any Delivery) -> any Delivery {
        let last = transform(last)
        return Self.of(others.map(transform), last: last, event: last.event) ?? last
    }

    func isMade(of entry: ObjectIdentifier) -> Bool {
        last.isMade(of: entry) || others.contains { $0.isMade(of: entry) }
    }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool {
        last.isInside(steps) || others.contains { $0.isInside(steps) }
    }
}
