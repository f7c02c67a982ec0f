import RxEngine
import RxJSON

extension Graph {
    /// A change of something that a snapshot contains.
    package enum Change: Sendable {
        /// An event is still unsettled after its emission.
        case unsettled
        /// The state of a step has changed.
        case state
        /// A source has emitted everything that the previous process may have emitted: the notes of what sinks had
        /// finished of it are obsolete.
        case caughtUp(source: String)
    }

    /// A counter that grows with every change of what a snapshot contains.
    package var version: Int {
        unsettledVersion + nodes.reduce(0) { $0 + ($1.memory?.version ?? 0) }
    }

    /// The number of parts that ``capture(isLast:_:)`` makes.
    package var partCount: Int { components.count + 1 }

    /// Captures a snapshot in parts. A part is consistent, since one action on its component's scheduler captures it.
    ///
    /// - Parameters:
    ///   - isLast: whether the graph is being stopped. Its sinks then ignore events that arrive after their part was
    ///     captured: the next process acts on these, with the captured state of the steps.
    ///   - done: called with the number of each part, and the part.
    package func capture(isLast: Bool = false, _ done: @escaping @Sendable (Int, Snapshot) -> Void) {
        for (number, component) in components.enumerated() {
            component.scheduler.perform {
                let part = self.snapshot(of: component)
                if isLast { for run in self.runs where run.node.component === component { run.close() } }
                done(number, part)
            }
        }
        done(components.count, retiredPart)
    }

    /// Saves what sources need to emit the events after the snapshot again.
    ///
    /// Called between the capture of a snapshot and its storing.
    ///
    /// - Parameter isUrgent: whether a caller waits for the snapshot.
    /// - Returns: how long to wait before a snapshot may be stored; `nil` if this one may be stored now.
    package func prepareToStore(isUrgent: Bool) throws -> Duration? {
        try nodes.compactMap { try $0.stores?.prepare(isUrgent) }.max()
    }

    /// Notifies the sources that the snapshot, with their positions, is stored.
    package func stored(_ snapshot: Snapshot) {
        for node in nodes {
            if let position = snapshot.nodes[node.name]?.cells[Intake.positionPath] { node.stores?.done(position.json) }
        }
    }

    /// The whole snapshot, captured on the calling thread. It is consistent only while nothing runs.
    package var snapshot: Snapshot {
        components.reduce(into: retiredPart) { $0.add(snapshot(of: $1)) }
    }

    /// The part that belongs to no component: events of sources that are no longer part of the graph, and sink names.
    private var retiredPart: Snapshot {
        Snapshot(events: retired.allUnsettled.flatMap(\.captured), sinks: sinkNames)
    }

    private var components: [Component] { nodes.map(\.component).withoutRepetitions { ObjectIdentifier($0) } }

    private func snapshot(of component: Component) -> Snapshot {
        var snapshot = Snapshot()
        for node in nodes where node.component === component {
            snapshot.events += node.intake?.captured ?? []
            if let finished = node.intake?.finished, !finished.isEmpty { snapshot.finished[node.name] = finished }
            snapshot.nodes[node.name] = NodeState(
                content: node.savedContent, run: node.memory?.run ?? "", cells: node.memory?.state ?? [:])
        }
        return snapshot
    }
}

extension Plan {
    /// The positions in a snapshot that sources resume from: those of sources with the same text, and those of sources
    /// that the host keeps data for, since the host knows which request a position belongs to.
    func positions(in snapshot: Snapshot) -> [String: JSON] {
        let same = restorable(from: snapshot)
        let resuming = sources.filter { same[$0.name] != nil || $0.kind.isKeptByHost }
        let positions = resuming.compactMap { source in
            snapshot.nodes[source.name]?.cells[Intake.positionPath].map { (source.name, $0.json) }
        }
        return Dictionary(positions) { $1 }
    }

    /// The states in a snapshot that can be restored: the configuration's text of the node is the same, and so are
    /// those of all nodes that it takes events from.
    func restorable(from snapshot: Snapshot) -> [String: NodeState] {
        var fitting: [String: NodeState] = [:]
        func restore(_ name: String, _ content: String, _ inputs: [String]) {
            guard let state = snapshot.nodes[name], state.content.hasSameBytes(as: secrets.redacted(content)),
                inputs.allSatisfy({ fitting[$0] != nil })
            else { return }
            fitting[name] = state
        }
        for source in sources { restore(source.name, source.content, []) }
        for pipeline in pipelines { restore(pipeline.name, pipeline.content, pipeline.dependencies) }
        return fitting
    }
}
