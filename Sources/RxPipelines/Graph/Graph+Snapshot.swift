import RxEngine
import RxJSON

extension Graph {
    /// Something that a snapshot has.
    package enum Change: Sendable {
        /// An event is unsettled after its emission.
        case unsettled
        /// A step remembers something else.
        case state
        /// A source has emitted everything that the previous process may have emitted: what sinks had finished of it is
        /// of no more use.
        case caughtUp(source: String)
    }

    /// Grows with every change of what a snapshot has.
    package var version: Int {
        unsettledVersion + nodes.reduce(0) { $0 + ($1.memory?.version ?? 0) }
    }

    /// The number of parts that ``capture(_:)`` makes.
    package var partCount: Int { components.count + 1 }

    /// Calls `done` with each part of a snapshot and its number. A part is consistent: it is taken in one turn of its
    /// component's scheduler.
    ///
    /// - Parameter isLast: whether the graph is being stopped. Then sinks take nothing that comes after their part: the
    ///   next process acts on it, with the steps' memory of it.
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

    /// To be called between the capture of a snapshot and its storing: saves what sources need to emit again what comes
    /// later.
    ///
    /// - Parameter isUrgent: whether somebody waits for the snapshot.
    /// - Returns: how long to wait before a snapshot may be stored; `nil` if this one may be.
    package func prepareToStore(isUrgent: Bool) throws -> Duration? {
        try nodes.compactMap { try $0.stores?.prepare(isUrgent) }.max()
    }

    /// The snapshot is stored.
    package func stored(_ snapshot: Snapshot) {
        for node in nodes {
            if let position = snapshot.nodes[node.name]?.cells[Intake.positionPath] { node.stores?.done(position.json) }
        }
    }

    /// The whole snapshot, taken on this thread: consistent only if nothing runs.
    package var snapshot: Snapshot {
        components.reduce(into: retiredPart) { $0.add(snapshot(of: $1)) }
    }

    /// The events of sources that are no longer part of the graph, and what belongs to no component.
    private var retiredPart: Snapshot {
        Snapshot(events: retired.allUnsettled.flatMap(\.captured), sinks: sinkAllotments)
    }

    private var components: [Component] { nodes.map(\.component).withoutRepetitions }

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
    /// The positions in a snapshot that sources resume from: those of the same text, and those of sources that the host
    /// keeps something for. The host knows of which request that is.
    func positions(in snapshot: Snapshot) -> [String: JSON] {
        let same = restorable(from: snapshot)
        let resuming = sources.filter { same[$0.name] != nil || $0.kind.isKeptByHost }
        let positions = resuming.compactMap { source in
            snapshot.nodes[source.name]?.cells[Intake.positionPath].map { (source.name, $0.json) }
        }
        return Dictionary(positions) { $1 }
    }

    /// The states in a snapshot that fit: the config says the same of the node, and of all nodes that it takes events
    /// from.
    func restorable(from snapshot: Snapshot) -> [String: NodeState] {
        var fitting: [String: NodeState] = [:]
        func take(_ name: String, _ content: String, _ inputs: [String]) {
            guard let state = snapshot.nodes[name], state.content == secrets.redacted(content),
                inputs.allSatisfy({ fitting[$0] != nil })
            else { return }
            fitting[name] = state
        }
        for source in sources { take(source.name, source.content, []) }
        for pipeline in pipelines { take(pipeline.name, pipeline.content, pipeline.dependencies) }
        return fitting
    }
}
