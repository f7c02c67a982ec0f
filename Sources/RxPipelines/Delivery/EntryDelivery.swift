import RxJSON

/// An event that has entered the steps of a pipeline.
struct StepEntry: Sendable {
    /// The event before it entered the steps.
    let event: PipelineEvent
    /// The numbers that sinks gave to the events that were made of the entered one, in order.
    var arrivals: [StepArrival] = []
}

/// The number that a sink gave to an event that was made of the entered one.
struct StepArrival: Sendable {
    let sink: String
    let branch: EventBranch
    let number: Int
}

// Unchecked: the lock of ``StepEntryTracker`` guards all mutable state.
/// The delivery of an event in the steps of a pipeline, retained by everything in the steps that will still act on the
/// event. It retains the delivery that the event had outside.
final class EntryDelivery: Delivery, ListedDelivery, @unchecked Sendable {
    let event: SourceEvent
    private let outside: any Delivery
    private let entries: StepEntryTracker
    // Below: guarded by the lock.
    var links = DeliveryList<EntryDelivery>.Links()
    private(set) var entry: StepEntry
    /// The number of the event among those that have entered; 0 before it enters.
    var number = 0
    /// The earlier arrivals at sinks that have not occurred again since the event was redelivered.
    private var earlier: [EarlierArrival]

    /// An arrival at a sink that has not occurred again since the event was redelivered.
    private struct EarlierArrival {
        let arrival: StepArrival
        /// Whether the sink still has the event, because only the steps have restarted.
        let isTaken: Bool
    }

    /// - Parameters:
    ///   - entry: the event, with its earlier arrivals at sinks.
    ///   - event: the source event, which may be marked as redelivered.
    ///   - outside: the delivery that the event had before it entered.
    ///   - entries: the steps that it enters.
    init(_ entry: StepEntry, as event: SourceEvent, outside: any Delivery, in entries: StepEntryTracker) {
        self.event = event
        self.outside = outside
        self.entries = entries
        self.entry = entry
        earlier = entry.arrivals.map { EarlierArrival(arrival: $0, isTaken: false) }
    }

    /// The delivery of an event that was in flight in steps that restart.
    init(restarting other: EntryDelivery) {
        outside = other.outside
        entries = other.entries
        event = outside.event.redelivered
        let (entry, pending, number) = entries.locked { (other.entry, other.earlier, other.number) }
        self.entry = entry
        self.number = number
        earlier = entry.arrivals.map { arrival in
            pending.first { $0.arrival.sink == arrival.sink && $0.arrival.number == arrival.number }
                ?? EarlierArrival(arrival: arrival, isTaken: true)
        }
    }

    deinit { entries.leave(self) }

    var sourceEvents: [SourceEvent] { outside.sourceEvents }
    var sourceValue: JSON? { outside.sourceValue }

    // The events of one branch reach a sink in the same order as before the redelivery, so each one gets the first
    // earlier number of its branch that is left.
    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        let earlier = entries.locked { () -> EarlierArrival? in
            guard let index = self.earlier.firstIndex(where: { $0.arrival.sink == sink && $0.arrival.branch == branch })
            else { return nil }
            return self.earlier.remove(at: index)
        }
        if let earlier, earlier.isTaken { return Arrival(number: earlier.arrival.number, isDone: true) }
        if let earlier { return outside.arrival(earlier.arrival.number, at: sink) }
        let arrival = outside.begin(at: sink, in: branch)
        entries.locked { entry.arrivals.append(StepArrival(sink: sink, branch: branch, number: arrival.number)) }
        return arrival
    }

    func arrival(_ number: Int, at sink: String) -> Arrival { outside.arrival(number, at: sink) }
    func finish(_ number: Int, at sink: String) { outside.finish(number, at: sink) }
    func fail(_ number: Int, at sink: String, _ failure: JSON) { outside.fail(number, at: sink, failure) }
    func changeResults(_ body: (inout StepResults) -> Void) { outside.changeResults(body) }

    func countDerived(_ byteCount: Int) -> DerivedMemory? { outside.countDerived(byteCount) }

    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool { outside.hasSource(where: condition) }

    func addCollectors(_ number: Int) { outside.addCollectors(number) }

    var memoryOfSoleCollector: Int { outside.memoryOfSoleCollector }

    var spool: SpooledSink? { outside.spool }

    var outsideSteps: any Delivery { outside.outsideSteps }

    func outside(of steps: StepEntryTracker) -> any Delivery { entries === steps ? outside : self }

    func isMade(of entry: ObjectIdentifier) -> Bool { ObjectIdentifier(self) == entry || outside.isMade(of: entry) }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool {
        steps.contains(ObjectIdentifier(entries)) || outside.isInside(steps)
    }
}
