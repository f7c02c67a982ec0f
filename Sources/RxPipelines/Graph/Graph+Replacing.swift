import RxEngine

extension Graph {
    /// Takes the place of the graph before, which must not be used any more: what only that one has is stopped, and
    /// what replaces it on the same scheduler starts in the same turn. Its steps and sinks have `drain` to finish their
    /// work. Calls `done` when all new pipelines run and all old ones get no more events.
    package func replace(_ previous: Graph, drain: Duration, done: @escaping @Sendable () -> Void) {
        deadLetters.use(routes, starting: starting)
        let intakes = Set(nodes.compactMap(\.intake).map { ObjectIdentifier($0) })
        for old in previous.nodes.compactMap(\.intake) where !intakes.contains(ObjectIdentifier(old)) {
            retired.leave(old.unsettled)
        }
        for (places, others) in moves { places.move(to: others) }
        for (intake, settings) in settings { intake.setLimit(settings.inFlight) }
        let stale = previous.ownership.give(to: ownership) { self.kept.contains(ObjectIdentifier($0)) }
        let waiting = runs.filter { !kept.contains(ObjectIdentifier($0)) }
        let names = Set(waiting.map(\.account.name))
        let pairs = waiting.map { run in (new: run, old: stale.first { $0.account.name == run.account.name }) }
        let alone = stale.filter { !names.contains($0.account.name) }
        // Until they are over, they are stopped with what has retired.
        for run in stale { run.leave() }
        let replacements = Dictionary(
            uniqueKeysWithValues: Set((nodes + previous.nodes).map(\.component)).map { component in
                (component, Replacement(of: previous, by: self, in: component, pairs, alone, drain: drain))
            })
        let turns = Countdown(replacements.count, done)
        let starts = Countdown(replacements.count) { [warm] in warm.dispose() }
        for (component, replacement) in replacements {
            let starting = pairs.filter { $0.new.node.component === component }
            let start: @Sendable () -> Void = { [self] in
                replacement.begin()
                for (new, old) in starting {
                    if let old { new.start(inPlaceOf: old) } else { new.start() }
                    if let old, old.node.component !== component {
                        let other = replacements[old.node.component]
                        old.scheduler.perform { other?.successorHasStarted() }
                    }
                }
                haveStarted(nodes.filter { $0.component === component })
                starts.count()
                replacement.drain()
            }
            component.scheduler.perform { [retired] in
                // Another one may be under way here: nobody waits for that.
                retired.begin(in: component, start) { component.scheduler.perform { replacement.stop() } }
                turns.count()
            }
        }
    }
}

// Unchecked: used on the component's scheduler alone.
/// The replacement of nodes of one component. The old steps finish what is in flight in them. Then, and after the drain
/// at the latest, what is left is redelivered to the new steps, which have been held back, and the new sinks take over
/// the queues of the old ones.
private final class Replacement: @unchecked Sendable {
    private let graph: Graph
    private let component: Component
    private let span: Duration
    /// The nodes that the new graph does not have.
    private let retired: [Node]
    /// Those that the old graph does not have.
    private let fresh: [Node]
    /// The names of the nodes of the old graph.
    private let before: Set<String>
    private let runs: [(old: PipelineRun, new: PipelineRun?)]
    /// The number of runs in other components that are to replace some of these and have not started.
    private var unstarted: Int
    private var end: any Disposable = Disposables.create()
    private var deadline = RxTime.distantFuture
    private var hasBegun = false
    private var isTimeUp = false
    private var isOver = false

    init(
        of previous: Graph, by graph: Graph, in component: Component,
        _ pairs: [(new: PipelineRun, old: PipelineRun?)], _ alone: [PipelineRun], drain: Duration
    ) {
        self.graph = graph
        self.component = component
        span = drain
        let (old, new) = (previous.nodes.map { ObjectIdentifier($0) }, graph.nodes.map { ObjectIdentifier($0) })
        let (olds, news) = (Set(old), Set(new))
        retired = previous.nodes.filter { $0.component === component && !news.contains(ObjectIdentifier($0)) }
        fresh = graph.nodes.filter { $0.component === component && !olds.contains(ObjectIdentifier($0)) }
        before = Set(previous.nodes.map(\.name))
        let replaced = pairs.compactMap { pair in pair.old.map { (old: $0, new: Optional(pair.new)) } }
        runs = (replaced + alone.map { ($0, nil) }).filter { $0.old.node.component === component }
        unstarted = runs.count { $0.new.map { $0.node.component !== component } ?? false }
    }

    /// The old nodes get no more events, and the new ones none yet.
    func begin() {
        let olds = Set(retired.filter { $0.steps != nil }.map { ObjectIdentifier($0) })
        let news = Set(fresh.filter { $0.steps != nil }.map { ObjectIdentifier($0) })
        for node in retired {
            node.steps?.input.cut(except: olds)
            node.intake?.stop()
        }
        for node in fresh { node.steps?.input.hold(except: news) }
    }

    /// The new runs have started.
    func drain() {
        deadline = component.scheduler.now.addingTimeInterval(span.interval.seconds)
        // Both get the events of a node that has not changed.
        for (old, new) in runs where !isRetired(old.node) { old.retire(within: span, into: new) }
        hasBegun = true
        check()
        if isOver { return }
        end = component.scheduler.scheduleRelative((), dueTime: span.interval) {
            self.isTimeUp = true
            self.check()
            return Disposables.create()
        }
    }

    func successorHasStarted() {
        unstarted -= 1
        check()
    }

    /// The daemon stops: what is in flight in the old steps, and what is held, is kept for the next process.
    func stop() {
        if isOver { return }
        isOver = true
        end.dispose()
        retireAll()
    }

    private func check() {
        if !hasBegun || isOver { return }
        let busy = retired.compactMap(\.steps?.input.entries).filter { !$0.isEmpty }
        if unstarted == 0, isTimeUp || busy.isEmpty { return finish() }
        for entries in busy {
            entries.whenEmpty { self.component.scheduler.perform { self.check() } }
        }
    }

    private func finish() {
        isOver = true
        end.dispose()
        redeliverAll()
        retireAll()
        for node in fresh { node.steps?.input.start() }
        for node in fresh { node.steps?.input.open() }
        graph.retired.end(in: component)
    }

    private func retireAll() {
        let rest = max(.zero, Duration.seconds(deadline.timeIntervalSince(component.scheduler.now)))
        for (old, new) in runs where isRetired(old.node) { old.retire(within: isTimeUp ? .zero : rest, into: new) }
    }

    private func isRetired(_ node: Node) -> Bool { retired.contains { $0 === node } }

    /// Redelivers what is left in the old steps, or gives it up.
    private func redeliverAll() {
        let steps = Set(retired.compactMap { $0.steps.map { ObjectIdentifier($0.input.entries) } })
        for node in retired {
            // What is in several of them is redelivered to the first.
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

    /// Who is given what is left in the steps of a node: the node of its name, or new ones between that and the same
    /// inputs.
    private func targets(of node: Node) -> [Node] {
        guard let inputs = node.steps?.inputs, let heir = graph.nodes.first(where: { $0.name == node.name }) else {
            return []
        }
        func takes(_ other: Node) -> Bool { other.steps?.inputs.include(inputs) ?? false }
        if takes(heir) { return [heir] }
        return [heir].upstream.filter { !before.contains($0.name) && takes($0) }
    }
}

extension Inputs {
    /// Whether an event from the other inputs may come from these, as it is.
    fileprivate func include(_ other: Inputs) -> Bool {
        guard (failuresPlace == nil) == (other.failuresPlace == nil) else { return false }
        let (names, others) = (members.map(\.node.text), other.members.map(\.node.text))
        if combination == other.combination, names == others, members.map(\.member) == other.members.map(\.member) {
            return true
        }
        return isMerged && other.isMerged && Set(names).isSuperset(of: others)
    }

    /// Whether events come from the nodes as they are.
    private var isMerged: Bool {
        (combination == nil || combination == .merge) && members.allSatisfy { $0.member == nil }
    }
}
