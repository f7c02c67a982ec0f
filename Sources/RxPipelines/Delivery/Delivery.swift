import RxJSON

/// The obligation to process a source event. Everything that will still act on the event retains it: queues, timers,
/// buffers, sinks at work. The event is settled when the last reference is released.
protocol Delivery: AnyObject, Sendable {
    var event: SourceEvent { get }

    /// Numbers the next event that is made of this one in a branch at a sink.
    func begin(at sink: String, in branch: EventBranch) -> Arrival

    /// The event that has this number at a sink.
    func arrival(_ number: Int, at sink: String) -> Arrival

    /// Notes that the sink has finished the event with this number.
    func finish(_ number: Int, at sink: String)

    /// Notes that the sink has failed on the event with this number, which goes to `onError`.
    func fail(_ number: Int, at sink: String, _ failure: JSON)

    /// Changes what steps made of the event.
    func changeResults(_ body: (inout StepResults) -> Void)

    /// The delivery without those of steps, see ``EntryDelivery``.
    var outsideSteps: any Delivery { get }

    /// The delivery without that of these steps.
    func outside(of steps: StepEntries) -> any Delivery

    /// Whether the event is made of the one that has entered steps with this delivery.
    func isMade(of entry: ObjectIdentifier) -> Bool

    /// Whether the event is in flight in any of these steps.
    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool

    /// The spool that stores what other sinks have done for the event, which its own has failed on.
    var spool: SpooledSink? { get }
}

extension Delivery {
    var outsideSteps: any Delivery { self }

    func outside(of steps: StepEntries) -> any Delivery { self }

    func isMade(of entry: ObjectIdentifier) -> Bool { false }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool { false }

    var spool: SpooledSink? { nil }
}

/// The delivery of an event that is made of several. Sinks and steps take notes in the latest of them.
final class JoinedDelivery: Delivery {
    let event: SourceEvent
    private let others: [any Delivery]
    private let last: any Delivery

    private init(_ event: SourceEvent, _ others: [any Delivery], last: any Delivery) {
        self.event = event
        self.others = others
        self.last = last
    }

    /// Joins deliveries, among which may be the same one several times.
    ///
    /// - Parameters:
    ///   - last: the delivery of the latest event; `nil` if that is only remembered.
    ///   - event: the latest event.
    static func of(
        _ deliveries: [any Delivery], last: (any Delivery)?, event: SourceEvent
    ) -> (any Delivery)? {
        guard let last = last ?? deliveries.last else { return nil }
        let others = deliveries.filter { $0 !== last }
        return others.isEmpty && last.event == event ? last : JoinedDelivery(event, others, last: last)
    }

    func begin(at sink: String, in branch: EventBranch) -> Arrival { last.begin(at: sink, in: branch) }
    func arrival(_ number: Int, at sink: String) -> Arrival { last.arrival(number, at: sink) }
    func finish(_ number: Int, at sink: String) { last.finish(number, at: sink) }
    func fail(_ number: Int, at sink: String, _ failure: JSON) { last.fail(number, at: sink, failure) }
    func changeResults(_ body: (inout StepResults) -> Void) { last.changeResults(body) }

    var spool: SpooledSink? { last.spool }

    var outsideSteps: any Delivery { map(\.outsideSteps) }

    func outside(of steps: StepEntries) -> any Delivery { map { $0.outside(of: steps) } }

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
