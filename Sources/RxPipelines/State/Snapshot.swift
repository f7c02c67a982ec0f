import RxJQ
import RxJSON

/// The state that a process saves for the next one: the unsettled events, and the state of the nodes.
package struct Snapshot: Sendable {
    package var events: [UnsettledEvent]
    /// The states of the nodes, by name.
    package var nodes: [String: NodeState]
    /// The progress of sinks for events after the snapshot, by source and then by the event's id.
    ///
    /// The sources emit these events again.
    package var finished: [String: [String: SinkProgress]]
    /// The names of sinks, by pipeline.
    package var sinks: [String: SinkNames]

    package init(
        events: [UnsettledEvent] = [], nodes: [String: NodeState] = [:],
        finished: [String: [String: SinkProgress]] = [:], sinks: [String: SinkNames] = [:]
    ) {
        self.events = events
        self.nodes = nodes
        self.finished = finished
        self.sinks = sinks
    }

    /// Replaces the events by later ones with their progress.
    ///
    /// New events have no step results, since the state of the steps is that of the snapshot.
    package mutating func takeProgress(of later: [UnsettledEvent]) {
        var results = Dictionary(events.map { ($0.event.id, $0.results) }) { $1 }
        events = later.map { event in
            UnsettledEvent(
                event.event, event.value, event.progress, results.removeValue(forKey: event.event.id) ?? StepResults(),
                order: event.order)
        }
    }

    /// Marks these events as finished by the sinks whose spools have them.
    ///
    /// - Returns: the events whose progress has changed, with all of their progress.
    package mutating func note(spooled events: [LatestSpooledEvent]) -> [UnsettledEvent] {
        let indices = Dictionary(self.events.enumerated().map { ($1.event.id, $0) }) { $1 }
        var changed: [String: UnsettledEvent] = [:]
        for spooled in events {
            let (event, id) = (spooled.event, spooled.event.id)
            let progress = SinkProgress(done: [spooled.sink: [spooled.ordinal]])
            var noted = indices[id].map { self.events[$0].progress } ?? finished[event.source]?[id] ?? SinkProgress()
            let before = noted
            noted.add(progress)
            if noted == before { continue }
            if let index = indices[id] {
                self.events[index].progress = noted
            } else if event.isNamed {
                finished[event.source, default: [:]][id] = noted
            } else {
                continue
            }
            changed[id] = UnsettledEvent(event, .null, noted)
        }
        return Array(changed.values)
    }

    /// Adds another part of a snapshot of the same graph.
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

/// The saved state of a node.
package struct NodeState: Sendable, Equatable {
    /// The node's text in the configuration. The state is not restored for another text.
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
