import RxJQ
import RxJSON

/// What a process leaves to the next: the unsettled events, and what nodes remember.
package struct Snapshot: Sendable {
    package var events: [UnsettledEvent]
    /// By the node's name.
    package var nodes: [String: NodeState]
    /// What sinks have finished of events that sources emit again, since the snapshot has neither them nor a later
    /// position: by source, then by the event's id.
    package var finished: [String: [String: SinkProgress]]
    /// The names of sinks, by pipeline.
    package var sinks: [String: SinkAllotment]

    package init(
        events: [UnsettledEvent] = [], nodes: [String: NodeState] = [:],
        finished: [String: [String: SinkProgress]] = [:], sinks: [String: SinkAllotment] = [:]
    ) {
        self.events = events
        self.nodes = nodes
        self.finished = finished
        self.sinks = sinks
    }

    /// Takes over what sinks have done for the events since the snapshot, and adds new events as ones that no step has
    /// seen: the state of the steps is that of the snapshot.
    package mutating func takeProgress(of later: [UnsettledEvent]) {
        var results = Dictionary(events.map { ($0.event.id, $0.results) }) { $1 }
        events = later.map { event in
            UnsettledEvent(
                event.event, event.value, event.progress, results.removeValue(forKey: event.event.id) ?? StepResults(),
                order: event.order)
        }
    }

    /// Notes that sinks have these events in their spools.
    ///
    /// - Returns: what was not noted, as events with all that is noted now.
    package mutating func note(spooled events: [LatestSpooledEvent]) -> [UnsettledEvent] {
        let places = Dictionary(self.events.enumerated().map { ($1.event.id, $0) }) { $1 }
        var changed: [String: UnsettledEvent] = [:]
        for spooled in events {
            let (event, id) = (spooled.event, spooled.event.id)
            let progress = SinkProgress(done: [spooled.sink: [spooled.ordinal]])
            var noted = places[id].map { self.events[$0].progress } ?? finished[event.source]?[id] ?? SinkProgress()
            let before = noted
            noted.add(progress)
            if noted == before { continue }
            if let place = places[id] {
                self.events[place].progress = noted
            } else if event.isNamed {
                finished[event.source, default: [:]][id] = noted
            } else {
                continue
            }
            changed[id] = UnsettledEvent(event, .null, noted)
        }
        return Array(changed.values)
    }

    /// Adds what another part of the same graph leaves.
    package mutating func add(_ other: Snapshot) {
        events += other.events
        nodes.merge(other.nodes) { $1 }
        finished.merge(other.finished) { $1 }
        sinks.merge(other.sinks) { $1 }
    }

    /// The keys of the sinks that have finished, or failed on, events that may be delivered again.
    var sinkKeys: Set<String> {
        let progress = events.map(\.progress) + finished.values.flatMap(\.values)
        return Set(progress.flatMap { Array($0.done.keys) + Array($0.failures.keys) })
    }
}

/// What a node remembers.
package struct NodeState: Sendable, Equatable {
    /// What the config says of the node. With another text, the state does not fit.
    package let content: String
    /// See ``NodeMemory/run``.
    package let run: String
    /// The values of the steps' cells, by the path of the step.
    package let cells: [String: JQValue]

    package init(content: String, run: String, cells: [String: JQValue]) {
        self.content = content
        self.run = run
        self.cells = cells
    }
}
