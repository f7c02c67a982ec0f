/// What travels through a pipeline: a value, the source event that it was made of, and what is owed to that.
package struct PipelineEvent: Sendable {
    /// The value, which steps replace.
    package var value: JSON
    /// The event that it was made of, where there were several the last.
    package let origin: SourceEvent
    /// Whoever holds it has something yet to do with the event. What is only remembered has none.
    private(set) var delivery: Delivery?
    /// Whether it is a memory of an event that was told before, and no news.
    package private(set) var isReplayed = false
    /// How many events made of the same one have come to the same sink before.
    private var ordinal = 0
    /// The part of the id that an endless inner source has given it.
    private var part: String?

    init(_ value: JSON, _ origin: SourceEvent, _ delivery: Delivery? = nil) {
        self.value = value
        self.origin = origin
        self.delivery = delivery
    }

    package init(_ value: JSON, source: String, sequence: UInt64, time: Double) {
        self.init(value, SourceEvent(source, sequence: sequence, time: time))
    }

    package var source: String { origin.source }
    package var sequence: UInt64 { origin.sequence }
    package var time: Double { origin.time }
    package var cause: String { origin.cause }
    /// What no other event is called that comes to the same sink.
    package var id: String {
        let id = part.map { "\(origin.id).\($0)" } ?? origin.id
        return ordinal == 0 ? id : "\(id).\(ordinal)"
    }

    /// The same event with another value.
    package func with(_ value: JSON) -> PipelineEvent {
        var event = self
        event.value = value
        return event
    }

    /// The same event for whoever remembers it and has nothing to do with it: what is owed does not wait for that.
    var remembered: PipelineEvent {
        var event = self
        event.delivery = nil
        return event
    }

    /// The same event for whoever is told it late.
    var replayed: PipelineEvent {
        var event = remembered
        event.isReplayed = true
        return event
    }

    /// This event, made of `others`, too: what is owed to them waits for this one, and it is news if one of them is.
    func made(of others: some Collection<PipelineEvent>) -> PipelineEvent {
        var event = self
        event.isReplayed = isReplayed && others.allSatisfy(\.isReplayed)
        event.delivery = Delivery.of(others.compactMap(\.delivery), last: delivery)
        return event
    }

    /// One of the events that an endless inner source makes of this one. Sinks keep no progress for it: a redelivered outer
    /// event makes new ones.
    func part(_ name: String) -> PipelineEvent {
        var event = self
        event.part = part.map { "\($0).\(name)" } ?? name
        return event
    }

    /// The same event as a sink gets it; `nil` where that had done with it before it was delivered again.
    func begun(at sink: String) -> PipelineEvent? {
        guard let delivery, part == nil else { return self }
        guard let number = delivery.begin(at: sink) else { return nil }
        var event = self
        event.ordinal = number
        return event
    }

    /// The sink is done with it.
    func finish(at sink: String) {
        if part == nil { delivery?.finish(ordinal, at: sink) }
    }

    /// What expressions see as `$event`.
    package var binding: JSON {
        [
            "source": .string(source), "sequence": .number(Double(sequence)), "time": .number(time),
            "cause": .string(cause), "id": .string(id), "redelivered": .bool(origin.isRedelivered),
            "replayed": .bool(isReplayed),
        ]
    }
}
