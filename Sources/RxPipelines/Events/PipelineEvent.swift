import RxJQ
import RxJSON

/// An event in a pipeline: a value, the source event that it was made of, and the delivery of that.
package struct PipelineEvent: Sendable {
    enum Identity: Sendable {
        /// Retained by everything that will still act on the event.
        case live(any Delivery)
        /// The event is only remembered. Indirect, as events are passed on far more often.
        indirect case remembered(SourceEvent)
    }

    /// The value, which steps replace.
    private(set) var content: JQValue
    private var identity: Identity
    /// Whether it is replayed: it was emitted before, and sinks ignore it by default.
    package private(set) var isReplayed = false
    /// Its branch among the events that are made of the same source event.
    private(set) var branch = EventBranch.main
    /// Its number among the events that are made of the same source event and reach the same sink.
    private(set) var ordinal = 0
    /// The part of the id that an endless inner source has given it.
    private(set) var suffix: String?
    /// Whether the spool of its sink has it.
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

    /// The source event that it was made of; of several, the latest.
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
    package var id: String {
        let id = suffix.map { "\(origin.id).\($0)" } ?? origin.id
        return ordinal == 0 ? id : "\(id).\(EventBranch.text(of: ordinal))"
    }

    /// The value as JSON.
    package var value: JSON { content.json }

    /// The same event with another value.
    package func with(_ value: JSON) -> PipelineEvent { with(JQValue(value)) }

    func with(_ content: JQValue) -> PipelineEvent {
        var event = self
        event.content = content
        return event
    }

    /// The event in another branch.
    func on(_ branch: EventBranch) -> PipelineEvent {
        var event = self
        event.branch = branch
        return event
    }

    /// The event as one that a sink failed on; `nil` if it was a step.
    func inBranchOfFailures(at sink: String?) -> PipelineEvent {
        guard let sink else { return self }
        let branch = EventBranch(saved: ordinal) ?? branch
        return on(ordinal == 0 || branch.value == ordinal ? branch.going(sink) : branch.going(sink, "\(ordinal)"))
    }

    /// What a step made of the event before it was redelivered.
    func with(_ result: StepResults.Result) -> PipelineEvent? {
        result.content.map { with($0).on(result.branch ?? branch) }
    }

    /// The event for steps: its value stays in jq's representation after the first expression.
    var forSteps: PipelineEvent { with(value) }

    /// The event without its delivery, for steps that remember it: memory does not keep it unsettled.
    var remembered: PipelineEvent {
        var event = self
        event.identity = .remembered(origin)
        return event
    }

    /// The event with another delivery.
    func held(by delivery: any Delivery) -> PipelineEvent {
        var event = self
        event.identity = .live(delivery)
        return event
    }

    /// The event as it leaves the steps: it is not in flight there any more.
    var outsideSteps: PipelineEvent { delivery.map { held(by: $0.outsideSteps) } ?? self }

    /// The event as it leaves these steps.
    func leaving(_ steps: StepEntries) -> PipelineEvent {
        delivery.map { held(by: $0.outside(of: steps)) } ?? self
    }

    /// The event for a late subscriber: marked as replayed.
    var replayed: PipelineEvent {
        var event = remembered
        event.isReplayed = true
        return event
    }

    /// This event, also made of `others`: their deliveries are retained with it, and its branch is that of the group.
    /// It is replayed only if all of them are.
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

    /// One of the events that an endless inner source makes of this one.
    func part(_ name: String) -> PipelineEvent {
        let event = named(name)
        return delivery.map { event.held(by: PartDelivery(of: $0)) } ?? event
    }

    /// The event with one more part in its id.
    func named(_ name: String) -> PipelineEvent {
        var event = self
        event.suffix = suffix.map { "\($0).\(name)" } ?? name
        return event
    }

    /// The event as the sink receives it, its value as JSON; `nil` if the sink finished it before the redelivery.
    ///
    /// - Returns: also, what the sink failed with before the redelivery.
    package func begun(at sink: String) -> (event: PipelineEvent, failure: JSON?)? {
        var event = with(JQValue.plain(value)).outsideSteps
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

    /// Marks the event as one that the sink failed on, and that goes to `onError`: delivered again, it goes there at
    /// once.
    func fail(at sink: String, _ failure: JSON) {
        delivery?.fail(ordinal, at: sink, failure)
    }

    /// The event that a sink failed on, as its receivers get it. A spool counts what they make of each of its events
    /// alone, so that the id says which one it is.
    ///
    /// It is news, even if the sink has acted on a replay, and has another id than the failure on the event itself.
    func failure(at sink: String) -> PipelineEvent {
        var news = isReplayed ? named("replay") : self
        news.isReplayed = false
        guard isSpooled else { return news }
        var event = news.named("\(ordinal).\(sink)")
        event.ordinal = 0
        return event
    }

    /// `$event` in expressions.
    package var binding: JSON {
        [
            "source": .string(source), "sequence": .number(Double(sequence)), "time": .number(time),
            "cause": .string(cause), "id": .string(id), "redelivered": .bool(origin.isRedelivered),
            "replayed": .bool(isReplayed),
        ]
    }
}
