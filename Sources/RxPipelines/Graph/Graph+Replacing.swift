import RxEngine

extension Graph {
    /// Replaces the previous graph, which must not be used afterwards.
    ///
    /// Stops what only the previous graph has, and starts its replacement on the same scheduler within the same
    /// scheduled action. When the method returns, this graph counts the unsettled events of stopped sources, too.
    ///
    /// - Parameters:
    ///   - previous: the graph to replace.
    ///   - drain: how long its steps and sinks may take to finish their work.
    ///   - done: called when all new pipelines run and the old ones receive no more events.
    package func replace(_ previous: Graph, drain: Duration, done: @escaping @Sendable () -> Void) {
        deadLetters.use(routes, starting: starting)
        retireSources(of: previous)
        for (locationCells, others) in moves { locationCells.move(to: others) }
        for (intake, settings) in settings { intake.setLimit(settings.inFlight, memoryLimit: memoryOfSource) }
        let stale = previous.ownership.transfer(to: ownership) { self.kept.contains(ObjectIdentifier($0)) }
        let waiting = runs.filter { !kept.contains(ObjectIdentifier($0)) }
        let names = Set(waiting.map(\.account.name))
        let pairs = waiting.map { run in (new: run, old: stale.first { $0.account.name == run.account.name }) }
        let alone = stale.filter { !names.contains($0.account.name) }
        // Until they have finished, a stop of the daemon reaches them as retired runs.
        for run in stale { run.markRetired() }
        let replacements = Dictionary(
            uniqueKeysWithValues: Set((nodes + previous.nodes).map(\.component)).map { component in
                (component, Replacement(of: previous, by: self, in: component, pairs, alone, drain: drain))
            })
        let begun = CompletionLatch(replacements.count, done)
        let started = CompletionLatch(replacements.count) { [armingSubscriptions] in armingSubscriptions.dispose() }
        for (component, replacement) in replacements {
            let starting = pairs.filter { $0.new.node.component === component }
            let start: @Sendable () -> Void = { [self] in
                replacement.begin()
                for (new, old) in starting {
                    if let old { new.start(inPlaceOf: old) } else { new.start() }
                    if let old, old.node.component !== component {
                        let other = replacements[old.node.component]
                        old.scheduler.perform { other?.replacementStarted() }
                    }
                }
                haveStarted(nodes.filter { $0.component === component })
                started.countDown()
                replacement.drain()
            }
            component.scheduler.perform { [retired] in
                // Another replacement may still be running in this component; `done` does not wait for it.
                retired.begin(in: component, start) { component.scheduler.perform { replacement.stop() } }
                begun.countDown()
            }
        }
    }

    /// Counts the unsettled events of the sources that only the previous graph has.
    private func retireSources(of previous: Graph) {
        let intakes = Set(nodes.compactMap(\.intake).map { ObjectIdentifier($0) })
        for old in previous.nodes.compactMap(\.intake) where !intakes.contains(ObjectIdentifier(old)) {
            retired.add(old.unsettled)
        }
    }
}

// Unchecked: used on the component's scheduler alone.
/// The replacement of the nodes of one component. The old steps finish the events in flight in them. Then, and at the
/// latest when the drain is over, the remaining events are redelivered to the new steps, which were held until then,
/// and the new sinks take over the queues of the old ones.
private final class Replacement: @unchecked Sendable {
    private let graph: Graph
    private let component: Component
    /// How long the drain may take.
    private let span: Duration
    /// The nodes that only the old graph has.
    private let retired: [Node]
    /// The nodes that only the new graph has.
    private let fresh: [Node]
    /// The names of the nodes of the old graph.
    private let before: Set<String>
    private let runs: [(old: PipelineRun, new: PipelineRun?)]
    /// The number of runs in other components that replace some of these and have not started.
    private var unstarted: Int
    private var end: any Disposable = Disposables.create()
    private var phase = Phase.starting

    /// How far the replacement of a component has got.
    private enum Phase {
        /// The new runs start.
        case starting
        /// The old steps finish their events, until a deadline in elapsed time, which is independent of the time of
        /// day.
        case draining(until: Duration)
        /// The drain is over, but runs in other components have not started.
        case timeUp
        case over
    }

    init(
        of previous: Graph, by graph: Graph, in component: Component,
        _ pairs: [(new: PipelineRun, old: PipelineRun?)], _ alone: [PipelineRun], drain: Duration
    ) {
        self.graph = graph
        self.component = component
        span = drain
        let (old, new) = (previous.nodes.map { ObjectIdentifier($0) }, graph.nodes.map { ObjectIdentifier($0) })
        let (oldNodes, newNodes) = (Set(old), Set(new))
        retired = previous.nodes.filter { $0.component === component && !newNodes.contains(ObjectIdentifier($0)) }
        fresh = graph.nodes.filter { $0.component === component && !oldNodes.contains(ObjectIdentifier($0)) }
        before = Set(previous.nodes.map(\.name))
        let replaced = pairs.compactMap { pair in pair.old.map { (old: $0, new: Optional(pair.new)) } }
        runs = (replaced + alone.map { ($0, nil) }).filter { $0.old.node.component === component }
        unstarted = runs.count { $0.new.map { $0.node.component !== component } ?? false }
    }

    /// Cuts off the old nodes from events, and holds the new ones.
    func begin() {
        let oldNodes = Set(retired.filter { $0.steps != nil }.map { ObjectIdentifier($0) })
        let newNodes = Set(fresh.filter { $0.steps != nil }.map { ObjectIdentifier($0) })
        for node in retired {
            node.steps?.input.cut(except: oldNodes)
            node.intake?.stop()
        }
        for node in fresh { node.steps?.input.hold(except: newNodes) }
    }

    /// Starts the drain, after the new runs have started.
    func drain() {
        let deadline = component.scheduler.elapsed + span
        // The node is unchanged, so that the new run has its events already.
        for (old, new) in runs where !isRetired(old.node) { old.retire(within: span, into: new) }
        phase = .draining(until: deadline)
        check()
        if case .over = phase { return }
        end = component.scheduler.scheduleRelative((), dueTime: span.interval) {
            if case .draining = self.phase { self.phase = .timeUp }
            self.check()
            return Disposables.create()
        }
    }

    /// Called when a run in another component that replaces one of these has started.
    func replacementStarted() {
        unstarted -= 1
        check()
    }

    /// Ends the replacement since the daemon stops: events in flight in the old steps, and held events, are kept for
    /// the next process.
    func stop() {
        if case .over = phase { return }
        let timeLeft = timeLeft
        phase = .over
        end.dispose()
        retireAll(within: timeLeft)
    }

    /// Finishes if the old steps are empty or the time is up; waits for the old steps otherwise.
    private func check() {
        let isTimeUp: Bool
        switch phase {
        case .starting, .over: return
        case .draining: isTimeUp = false
        case .timeUp: isTimeUp = true
        }
        let busy = retired.compactMap(\.steps?.input.entries).filter { !$0.isEmpty }
        if unstarted == 0, isTimeUp || busy.isEmpty { return finish() }
        for entries in busy {
            entries.whenEmpty { self.component.scheduler.perform { self.check() } }
        }
    }

    private func finish() {
        let timeLeft = timeLeft
        phase = .over
        end.dispose()
        redeliverAll()
        retireAll(within: timeLeft)
        for node in fresh { node.steps?.input.start() }
        for node in fresh { node.steps?.input.open() }
        graph.retired.end(in: component)
    }

    /// The time that old sinks may still take.
    private var timeLeft: Duration {
        switch phase {
        case .starting: span
        case .draining(let deadline): max(.zero, deadline - component.scheduler.elapsed)
        case .timeUp, .over: .zero
        }
    }

    private func retireAll(within time: Duration) {
        for (old, new) in runs where isRetired(old.node) { old.retire(within: time, into: new) }
    }

    private func isRetired(_ node: Node) -> Bool { retired.contains { $0 === node } }

    /// Redelivers the events that are left in the old steps. Those that no new pipeline can take are lost, with a
    /// record.
    private func redeliverAll() {
        let steps = Set(retired.compactMap { $0.steps.map { ObjectIdentifier($0.input.entries) } })
        for node in retired {
            // An event in several of the pipelines is redelivered to the first of them only.
            let left = (node.steps?.input.left ?? []).filter { $0.event.delivery?.isInside(steps) == false }
            if left.isEmpty { continue }
            let targets = targets(of: node)
            graph.recordInFlight(node.name, left.map(\.event.origin), !targets.isEmpty)
            for target in targets {
                guard let input = target.steps?.input else { continue }
                if target.component === component {
                    for entry in left { input.redeliver(entry) }
                } else {
                    target.scheduler.perform { for entry in left { input.redeliver(entry) } }
                }
            }
        }
    }

    /// The new nodes that receive the events left in the steps of an old node: the node of the same name, or new nodes
    /// between that one and the same inputs.
    private func targets(of node: Node) -> [Node] {
        guard let inputs = node.steps?.inputs, let sameName = graph.nodes.first(where: { $0.name == node.name }) else {
            return []
        }
        func takes(_ other: Node) -> Bool { other.steps?.inputs.include(inputs) ?? false }
        if takes(sameName) { return [sameName] }
        return [sameName].upstream.filter { !before.contains($0.name) && takes($0) }
    }
}

extension InputNodes {
    /// Whether every event of the other inputs could also come from these, unchanged.
    func include(_ other: InputNodes) -> Bool {
        guard (failuresPlace == nil) == (other.failuresPlace == nil) else { return false }
        let (names, others) = (members.map(\.node.text), other.members.map(\.node.text))
        if combination == other.combination, names == others, members.map(\.member) == other.members.map(\.member) {
            return true
        }
        return isMerged && other.isMerged && Set(names).isSuperset(of: others)
    }

    /// Whether the events of the nodes arrive unchanged.
    private var isMerged: Bool {
        (combination == nil || combination == .merge) && members.allSatisfy { $0.member == nil }
    }
}
