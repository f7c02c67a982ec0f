import RxJQ
import RxJSON

/// An event in a pipeline: a value, the source event that it was made of, and the delivery of the source event.
package struct PipelineEvent: Sendable {
    /// The source event behind the value, retained as unsettled or only remembered.
    enum Identity: Sendable {
        /// Retained by everything that will still act on the event.
        case live(any Delivery)
        /// The event is only remembered. Indirect, since this case is rare and would make every event larger.
        indirect case remembered(SourceEvent)
    }

    /// The value, which steps replace.
    private(set) var content: JQValue
    /// The memory of the value, if a step made it and it is not small.
    private(set) var derivedMemory: DerivedMemory?
    private var identity: Identity
    /// Whether the event is replayed. Sinks ignore replayed events by default.
    package private(set) var isReplayed = false
    /// The branch of the event among those that are made of the same source event.
    private(set) var branch = EventBranch.main
    /// The number of the event among those that are made of the same source event and reach the same sink.
    private(set) var ordinal = 0
    /// The last part of the id, for an event of an endless inner source.
    private(set) var suffix: String?
    /// Whether the event comes from the spool of its sink.
    private var isSpooled = false

    init(_ value: JSON, _ origin: SourceEvent) {
        content = .plain(value)
        identity = .remembered(origin)
    }

    init(_ value: JSON, _ delivery: any Delivery) {
        content = .plain(value)
        identity = .live(delivery)
    }

    /// An event from a spool.
    init(_ spooled: SpooledEvent, _ delivery: any Delivery) {
        self.init(spooled.value, delivery)
        ordinal = spooled.ordinal
        suffix = spooled.suffix
        isReplayed = spooled.isReplayed
        isSpooled = true
    }

    package init(_ value: JSON, source: String, sequence: UInt64, time: Double) {
        self.init(value, SourceEvent(source, sequence: sequence, time: time))
    }

    /// The source event that this event was made of, or the latest of several.
    package var origin: SourceEvent {
        switch identity {
        case .live(let delivery): delivery.event
        case .remembered(let event): event
        }
    }

    /// Retained by everything that will still act on the event; `nil` for one that is only remembered.
    var delivery: (any Delivery)? { if case .live(let delivery) = identity { delivery } else { nil } }

    package var source: String { origin.source }
    package var sequence: UInt64 { origin.sequence }
    package var time: Double { origin.time }
    package var cause: String { origin.cause }
    /// Unique among the events that reach the same sink.
    package var id: String { Self.id(of: origin, suffix, ordinal) }

    static func id(of origin: SourceEvent, _ suffix: String?, _ ordinal: Int) -> String {
        let id = suffix.map { "\(origin.id).\($0)" } ?? origin.id
        return ordinal == 0 ? id : "\(id).\(EventBranch.text(of: ordinal))"
    }

    /// The value as JSON.
    package var value: JSON { content.json }

    /// An estimate of the memory of the value from above, in bytes.
    var memory: Int { content.measuredMemory }

    /// The memory below which a value is not counted, in bytes.
    private static let small = 1 << 10

    /// This event with another value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - memory: the memory of the value in bytes; 0 if it is small.
    package func with(_ value: JSON, memory: Int = 0) -> PipelineEvent { with(JQValue(value, memory: memory)) }

    func with(_ content: JQValue) -> PipelineEvent {
        var event = self
        event.content = content
        event.derivedMemory = content.memory < Self.small ? nil : delivery?.countDerived(content.memory)
        return event
    }

    /// This event without its ``derivedMemory``, since a result that is kept at least as long counts the value.
    var withoutDerivedMemory: PipelineEvent {
        var event = self
        event.derivedMemory = nil
        return event
    }

    /// This event in another branch.
    func on(_ branch: EventBranch) -> PipelineEvent {
        var event = self
        event.branch = branch
        return event
    }

    /// This event in the branch of events that a sink failed on.
    ///
    /// - Parameter sink: the sink; `nil` if a step failed, which changes no branch.
    func inBranchOfFailures(at sink: String?) -> PipelineEvent {
        guard let sink else { return self }
        let branch = EventBranch(saved: ordinal) ?? branch
        return on(
            ordinal == 0 || branch.value == ordinal ? branch.appending(sink) : branch.appending(sink, "\(ordinal)"))
    }

    /// This event with a step's earlier result; `nil` if the step emitted nothing.
    func with(_ result: StepResults.Result) -> PipelineEvent? {
        result.content.map { with($0).on(result.branch ?? branch) }
    }

    /// This event for steps: the first expression converts its value to jq's representation, which is kept.
    var forSteps: PipelineEvent { with(value) }

    /// This event without its delivery, for steps that only remember it and must not keep it unsettled.
    package var remembered: PipelineEvent {
        var event = self
        event.identity = .remembered(origin)
        event.derivedMemory = nil
        return event
    }

    /// This event with another delivery.
    func held(by delivery: any Delivery) -> PipelineEvent {
        var event = self
        event.identity = .live(delivery)
        return event
    }

    /// This event after it has left all steps: it is no longer in flight in them.
    var outsideSteps: PipelineEvent { delivery.map { held(by: $0.outsideSteps) } ?? self }

    /// This event after it has left these steps.
    func leaving(_ steps: StepEntryTracker) -> PipelineEvent {
        delivery.map { held(by: $0.outside(of: steps)) } ?? self
    }

    /// This event for a late subscriber: without its delivery, and marked as replayed.
    var replayed: PipelineEvent {
        var event = remembered
        event.isReplayed = true
        return event
    }

    /// This event as one that is also made of `others`: it retains their deliveries, its branch is that of the group,
    /// and it is replayed only if all of them are.
    func made(of others: some Collection<PipelineEvent>) -> PipelineEvent {
        var event = self
        event.isReplayed = isReplayed && others.allSatisfy(\.isReplayed)
        let deliveries = others.compactMap(\.delivery)
        if let joined = JoinedDelivery.of(deliveries, last: delivery, event: origin) { event.identity = .live(joined) }
        if !deliveries.isEmpty {
            var group = JoinedBranch(of: others)
            group.add(self)
            event.branch = group.branch
        }
        return event
    }

    /// An event that an endless inner source makes of this one.
    func part(_ name: String) -> PipelineEvent {
        let event = named(name)
        return delivery.map { event.held(by: PartDelivery(of: $0)) } ?? event
    }

    /// This event with one more part in its id.
    func named(_ name: String) -> PipelineEvent {
        var event = self
        event.suffix = suffix.map { "\($0).\(name)" } ?? name
        return event
    }

    /// This event as the sink receives it, with its value as JSON.
    ///
    /// - Returns: the event, and the description of the sink's failure before the redelivery; `nil` if the sink
    ///   finished the event before the redelivery.
    package func begun(at sink: String) -> (event: PipelineEvent, failure: JSON?)? {
        var event = outsideSteps
        event.content = .plain(value)
        guard let delivery else { return (event, nil) }
        let arrival = delivery.begin(at: sink, in: branch)
        if arrival.isDone { return nil }
        event.ordinal = arrival.number
        return (event, arrival.failure)
    }

    /// Marks the event as finished by the sink.
    package func finish(at sink: String) {
        delivery?.finish(ordinal, at: sink)
    }

    /// Marks the event as one that the sink failed on and that goes to `onError`. If it is redelivered, it goes there
    /// at once.
    func fail(at sink: String, _ failure: JSON) {
        delivery?.fail(ordinal, at: sink, failure)
    }

    /// This event, which a sink failed on, for the receivers of `onError`.
    ///
    /// It is not replayed, even if the sink has acted on a replayed event; such a failure has another id than the
    /// failure on the original event. The id of an event from a spool contains its number at the sink, since a spool
    /// counts the events that are made of each of its events separately.
    func failure(at sink: String) -> PipelineEvent {
        var failed = isReplayed ? named("replay") : self
        failed.isReplayed = false
        guard isSpooled else { return failed }
        var event = failed.named("\(ordinal).\(sink)")
        event.ordinal = 0
        return event
    }

    /// The members of `$event`.
    static let members = ["source", "sequence", "time", "cause", "id", "redelivered", "replayed"]

    /// The value of `$event` in expressions.
    package var binding: JSON {
        [
            "source": .string(source), "sequence": .number(Double(sequence)), "time": .number(time),
            "cause": .string(cause), "id": .string(id), "redelivered": .bool(origin.isRedelivered),
            "replayed": .bool(isReplayed),
        ]
    }
}

extension JQValue {
    /// An estimate of the memory of the value from above, in bytes, also if ``memory`` is unknown.
    var measuredMemory: Int { memory > 0 ? memory : json.memory }
}
