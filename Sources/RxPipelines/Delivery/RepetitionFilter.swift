/// Recognizes the events that a source emits again after a crash, until it has caught up with the previous process.
struct RepetitionFilter {
    /// The progress of sinks for events that the snapshot does not contain, by the events' ids.
    private(set) var finished: [String: SinkProgress]
    /// The ids of the redelivered events that the source has not emitted again yet.
    private var redelivered: Set<String>
    /// Whether the source may emit events that the previous process had emitted.
    private(set) var isCatchingUp: Bool

    init(_ finished: [String: SinkProgress], redelivering events: [UnsettledEvent], isCatchingUp: Bool) {
        self.finished = finished
        self.isCatchingUp = isCatchingUp
        redelivered = isCatchingUp ? Set(events.lazy.filter(\.event.isNamed).map(\.event.id)) : []
    }

    /// Whether an event that the source emits is redelivered from the snapshot anyway. `true` once for each event.
    mutating func isRedelivered(_ id: String) -> Bool {
        redelivered.remove(id) != nil
    }

    /// Removes and returns the progress of sinks for an event.
    mutating func take(_ id: String) -> SinkProgress? {
        finished.removeValue(forKey: id)
    }

    /// Ends the catching up: the source has emitted everything that the previous process may have emitted.
    mutating func end() {
        self = RepetitionFilter([:], redelivering: [], isCatchingUp: false)
    }
}
