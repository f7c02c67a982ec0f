import RxJSON

/// An event that has entered the steps of a pipeline.
struct StepEntry: Sendable {
    /// As it was outside.
    let event: PipelineEvent
    /// The numbers that sinks have given to what was made of it, in order.
    var arrivals: [StepArrival] = []
}

/// The number that a sink has given to what was made of an event.
struct StepArrival: Sendable {
    let sink: String
    let branch: EventBranch
    let number: Int
}

// Unchecked: the lock of ``StepEntries`` guards all mutable state.
/// The delivery of an event in the steps of a pipeline: retained by what the steps will still act on. It retains the
/// delivery that the event had outside.
final class EntryDelivery: Delivery, ListedDelivery, @unchecked Sendable {
    let event: SourceEvent
    private let outside: any Delivery
    private let entries: StepEntries
    // Below: guarded by the lock.
    var links = DeliveryList<EntryDelivery>.Links()
    private(set) var entry: StepEntry
    /// The number of the event among those that have entered; 0 if it has yet to.
    var number = 0
    /// Which of the arrivals at sinks have not come again since the event was redelivered.
    private var earlier: [Earlier]

    private struct Earlier {
        let arrival: StepArrival
        /// Whether the sink has it: only the steps have started again.
        let isTaken: Bool
    }

    /// - Parameter event: the source event, which may be marked as redelivered.
    init(_ entry: StepEntry, as event: SourceEvent, outside: any Delivery, in entries: StepEntries) {
        self.event = event
        self.outside = outside
        self.entries = entries
        self.entry = entry
        earlier = entry.arrivals.map { Earlier(arrival: $0, isTaken: false) }
    }

    /// The delivery of an event in flight in steps that have started again.
    init(restarting other: EntryDelivery) {
        outside = other.outside
        entries = other.entries
        event = outside.event.redelivered
        let (entry, pending, number) = entries.locked { (other.entry, other.earlier, other.number) }
        self.entry = entry
        self.number = number
        earlier = entry.arrivals.map { arrival in
            pending.first { $0.arrival.sink == arrival.sink && $0.arrival.number == arrival.number }
                ?? Earlier(arrival: arrival, isTaken: true)
        }
    }

    deinit { entries.leave(self) }

    /// What is made of the event in one branch comes to a sink in the same order as before it was redelivered.
    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        let earlier = entries.locked { () -> Earlier? in
            guard let place = self.earlier.firstIndex(where: { $0.arrival.sink == sink && $0.arrival.branch == branch })
            else { return nil }
            return self.earlier.remove(at: place)
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

    var spool: SpooledSink? { outside.spool }

    var outsideSteps: any Delivery { outside.outsideSteps }

    func outside(of steps: StepEntries) -> any Delivery { entries === steps ? outside : self }

    func isMade(of entry: ObjectIdentifier) -> Bool { ObjectIdentifier(self) == entry || outside.isMade(of: entry) }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool {
        steps.contains(ObjectIdentifier(entries)) || outside.isInside(steps)
    }
}
