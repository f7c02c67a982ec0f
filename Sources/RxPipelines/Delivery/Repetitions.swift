/// Recognizes the events that a source emits again after a crash, until it has caught up with the previous process.
struct Repetitions {
    /// What sinks had finished of events that the snapshot does not have, by the events' ids.
    private(set) var finished: [String: SinkProgress]
    /// The ids of the events that are redelivered.
    private var redelivered: Set<String>
    /// Whether the source may emit events that the previous process had emitted.
    private(set) var isCatchingUp: Bool

    init(_ finished: [String: SinkProgress], redelivering events: [UnsettledEvent], isCatchingUp: Bool) {
        self.finished = finished
        self.isCatchingUp = isCatchingUp
        redelivered = isCatchingUp ? Set(events.lazy.filter(\.event.isNamed).map(\.event.id)) : []
    }

    /// Whether an event that the source emits is one that is redelivered anyway.
    mutating func isRedelivered(_ id: String) -> Bool {
        redelivered.remove(id) != nil
    }

    /// Takes what sinks had finished of an event.
    mutating func take(_ id: String) -> SinkProgress? {
        finished.removeValue(forKey: id)
    }

    /// The source has emitted everything that the previous process may have emitted.
    mutating func end() {
        self = Repetitions([:], redelivering: [], isCatchingUp: false)
    }
}
