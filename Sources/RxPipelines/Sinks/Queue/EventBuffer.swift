import RxEngine

/// A buffer of events in the order of their arrival, with the memory that they take.
struct EventBuffer: ~Copyable {
    /// A queued event and the memory that it takes.
    private struct Entry {
        let event: PipelineEvent
        let memory: Int
    }

    private var entries = RingBuffer<Entry>()
    /// The memory of the counted events, in bytes.
    private(set) var memory = 0

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// In the order of arrival.
    var all: [PipelineEvent] { entries.map(\.event) }

    /// - Parameters:
    ///   - event: the event.
    ///   - memory: the memory that the event takes, in bytes; 0 if it is not counted.
    mutating func append(_ event: PipelineEvent, _ memory: Int) {
        entries.append(Entry(event: event, memory: memory))
        self.memory += memory
    }

    /// Removes the oldest event. The buffer must not be empty.
    mutating func removeFirst() -> PipelineEvent {
        let entry = entries.removeFirst()
        memory -= entry.memory
        return entry.event
    }

    /// Puts events back before the others, in their order.
    mutating func putBack(_ events: [(event: PipelineEvent, memory: Int)]) {
        if events.isEmpty { return }
        let later = entries.removeAll()
        for (event, memory) in events { append(event, memory) }
        for entry in later { entries.append(entry) }
    }

    /// Removes the events that satisfy the predicate.
    mutating func remove(where isMatching: (PipelineEvent) -> Bool) -> [PipelineEvent] {
        var removed: [PipelineEvent] = []
        for entry in entries.removeAll() {
            if isMatching(entry.event) {
                removed.append(entry.event)
                memory -= entry.memory
            } else {
                entries.append(entry)
            }
        }
        return removed
    }

    mutating func removeAll() -> [PipelineEvent] {
        memory = 0
        return entries.removeAll().map(\.event)
    }
}
