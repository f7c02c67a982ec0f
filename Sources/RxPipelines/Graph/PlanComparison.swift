import RxDiagnostics
import RxEngine
import RxJSON

extension Graph {
    /// What a reload of `plan` would do. Nothing changes yet.
    ///
    /// - Parameters:
    ///   - current: the plan of this graph.
    ///   - plan: the plan of the new configuration.
    package func changes(from current: Plan, to plan: Plan) -> GraphChanges {
        var comparison = PlanComparison(self, current, plan)
        return GraphChanges(changes: comparison.changes(), settings: plan.changedSettings(from: current))
    }
}

extension Plan {
    fileprivate func changedSettings(from other: Plan) -> [String] {
        var settings = [
            ("daemon.resources", SystemdDuration.format(other.resourcesEvery), SystemdDuration.format(resourcesEvery)),
            ("daemon.drain", SystemdDuration.format(other.drainWithin), SystemdDuration.format(drainWithin)),
            ("daemon.page", other.page?.description ?? "none", page?.description ?? "none"),
        ]
        let limits = Dictionary(other.sources.map { ($0.name, $0.kind.settings.inFlight) }) { first, _ in first }
        for source in sources {
            guard let before = limits[source.name] else { continue }
            settings.append(("sources.\(source.name).inFlight", "\(before)", "\(source.kind.settings.inFlight)"))
        }
        let routes = Dictionary(other.pipelines.map { ($0.name, $0.failuresTo) }) { first, _ in first }
        for pipeline in pipelines {
            guard let before = routes[pipeline.name] else { continue }
            func names(_ list: [String]) -> String { list.isEmpty ? "none" : list.joined(separator: " and ") }
            settings.append(("pipelines.\(pipeline.name).onError", names(before), names(pipeline.failuresTo)))
        }
        return settings.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.2) in place of \($0.1)" }
    }
}

/// The comparison of a running graph with a plan, by the rules by which ``Graph/init`` keeps nodes.
private struct PlanComparison {
    private let graph: Graph
    private let plan: Plan
    private let before: [String: Node]
    private let runs: [String: PipelineRun]
    /// The pipelines of the plan, by name.
    private let pipelines: [String: Plan.Pipeline]
    /// The names of the pipelines that the reload adds, by the nodes that they take events from; `nil` stands for the
    /// failures of others.
    private let added: [String?: [String]]
    /// The kinds of the running sources, by name.
    private let kinds: [String: String]
    private let running: Set<String>
    private let deadline: String
    /// How long new nodes and sinks wait for those that they replace.
    private let drain: String
    /// The nodes that a reload keeps.
    private var kept: Set<String> = []

    init(_ graph: Graph, _ current: Plan, _ plan: Plan) {
        (self.graph, self.plan) = (graph, plan)
        kinds = Dictionary(current.sources.map { ($0.name, $0.kindName) }) { first, _ in first }
        let before = Dictionary(graph.nodes.map { ($0.name, $0) }) { first, _ in first }
        self.before = before
        runs = Dictionary(graph.runs.map { ($0.account.name, $0) }) { first, _ in first }
        pipelines = Dictionary(plan.pipelines.map { ($0.name, $0) }) { first, _ in first }
        added = plan.pipelines.reduce(into: [:]) { added, pipeline in
            guard before[pipeline.name] == nil else { return }
            let nodes = pipeline.inputs.members.map { Optional($0.node.text) }
            for node in Set(nodes + (pipeline.inputs.failuresPlace == nil ? [] : [nil])) {
                added[node, default: []].append(pipeline.name)
            }
        }
        running = plan.runningPipelines
        deadline = "within \(SystemdDuration.format(current.drainWithin))"
        drain = "up to \(SystemdDuration.format(current.drainWithin)) (daemon.drain)"
    }

    mutating func changes() -> [GraphChanges.Change] {
        var changes = plan.sources.map { change(of: $0) }
        let names = plan.sinkNames(after: graph.sinkNames)
        for pipeline in plan.pipelines {
            changes.append(change(of: pipeline))
            changes += sinkChanges(of: pipeline, names[pipeline.name]?.sinks.map(\.name) ?? [])
        }
        let planned = Set(plan.sources.map(\.name) + plan.pipelines.map(\.name))
        for node in graph.nodes where !planned.contains(node.name) {
            changes.append(
                GraphChanges.Change(
                    kind: node.steps == nil ? .source : .pipeline, name: node.name, effect: .stop,
                    notes: unsettledEvents(of: node) + eventsInFlight(of: node)))
            changes += stopped(sinks(of: node.name), of: node.name)
        }
        let waits = waits()
        return changes.map { change in
            guard change.kind == .pipeline, let wait = waits[change.name] else { return change }
            var change = change
            change.notes.append("its events wait \(wait)")
            change.wait = wait
            return change
        }
    }

    /// What the new pipelines wait for, by their names: the events in flight in the old ones with which they share a
    /// scheduler.
    private func waits() -> [String: String] {
        let busy = graph.nodes.compactMap { node -> BusyNode? in
            let count = kept.contains(node.name) ? 0 : node.steps?.input.entries.all.count ?? 0
            return count > 0 ? BusyNode(name: node.name, component: node.component, count: count) : nil
        }
        guard let scheduler = busy.first?.component.scheduler else { return [:] }
        let byComponent = Dictionary(grouping: busy) { ObjectIdentifier($0.component) }
        let components = byComponent.mapValues { nodes in (nodes: nodes, names: Set(nodes.map(\.name))) }
        // Only asked for components that exist, so that it makes none.
        var planned = PlannedComponents(plan, after: graph.nodes, redelivering: 0) { _ in scheduler }
        return plan.pipelines.reduce(into: [:]) { waits, pipeline in
            guard running.contains(pipeline.name), !kept.contains(pipeline.name),
                let component = planned.existing(pipeline.name), let busy = components[ObjectIdentifier(component)]
            else { return }
            // The notes of a pipeline have its own events in flight.
            let others = busy.nodes.count - (busy.names.contains(pipeline.name) ? 1 : 0)
            if others == 0 { return }
            // A limited number of names: the text is in the notes of each pipeline of the component.
            let named = busy.nodes.lazy.filter { $0.name != pipeline.name }.prefix(Self.maximumNamed)
            let rest = others - named.count
            let events =
                named.map { "\(counted($0.count, "event")) in flight in \($0.name)" }
                + (rest > 0 ? ["those in \(counted(rest, "other pipeline"))"] : [])
            waits[pipeline.name] = "\(drain) for \(events.joined(separator: " and "))"
        }
    }

    /// The most pipelines that the reason of a wait names.
    private static let maximumNamed = 5

    /// A node that the reload stops or replaces, with its events in flight.
    private struct BusyNode {
        let name: String
        let component: Component
        let count: Int
    }

    // MARK: - Nodes

    private mutating func change(of source: Plan.Source) -> GraphChanges.Change {
        func change(_ effect: GraphChanges.Effect, _ notes: [String] = []) -> GraphChanges.Change {
            let idle = running.contains(source.name) ? [] : ["does not run: \(Plan.idleSourceReason)"]
            return GraphChanges.Change(kind: .source, name: source.name, effect: effect, notes: notes + idle)
        }
        guard let node = before[source.name] else { return change(.start) }
        if node.isSame(source.content, []) {
            kept.insert(source.name)
            let stops = !running.contains(source.name) && node.activity.summary.phase == .running
            return change(stops ? .stop : .keep)
        }
        let continues = node.intake?.position != nil && kinds[source.name] == source.kindName
        let position = continues ? ["continues after its last event"] : []
        return change(.restart, ["its configuration has changed"] + position + unsettledEvents(of: node))
    }

    private mutating func change(of pipeline: Plan.Pipeline) -> GraphChanges.Change {
        func change(_ effect: GraphChanges.Effect, _ notes: [String] = []) -> GraphChanges.Change {
            let idle = running.contains(pipeline.name) ? [] : ["does not run: \(Plan.idleReason)"]
            return GraphChanges.Change(kind: .pipeline, name: pipeline.name, effect: effect, notes: notes + idle)
        }
        guard let node = before[pipeline.name] else { return change(.start) }
        let inputs = pipeline.dependencies.compactMap { before[$0] }
        let renewed = pipeline.dependencies.filter { !kept.contains($0) }
        if renewed.isEmpty, node.isSame(pipeline.content, inputs) {
            kept.insert(pipeline.name)
            return change(.keep)
        }
        let state = pipeline.steps.isEmpty ? [] : ["its steps begin without state"]
        let notes = state + eventsInFlight(of: node)
        guard node.isSame(pipeline.content, node.inputs) else {
            return change(.restart, ["its configuration has changed"] + notes)
        }
        return change(.rewire, ["takes events from \(renewed.joined(separator: ", "))"] + notes)
    }

    private func unsettledEvents(of node: Node) -> [String] {
        guard let count = node.intake?.count, count > 0 else { return [] }
        return [
            "\(counted(count, "event")) that \(count == 1 ? "is" : "are") not settled \(count == 1 ? "stays" : "stay")"
        ]
    }

    /// What happens to the events in the steps of a pipeline that is replaced or stopped.
    private func eventsInFlight(of node: Node) -> [String] {
        guard let steps = node.steps, !steps.input.entries.isEmpty else { return [] }
        let events = "\(counted(steps.input.entries.all.count, "event")) in flight"
        let fate = isReceived(from: node.name, steps.inputs) ? "redelivered" : "lost"
        return ["\(events), \(fate) unless finished \(deadline)"]
    }

    /// Whether the new pipeline of this name, or a new one between that and the same inputs, receives the events that are
    /// left in the old steps.
    private func isReceived(from name: String, _ inputs: InputNodes) -> Bool {
        func includesInputs(_ pipeline: String) -> Bool { pipelines[pipeline]?.inputs.include(inputs) == true }
        if includesInputs(name) { return true }
        let candidates = Set((added[inputs.members.first?.node.text] ?? []).filter(includesInputs))
        if candidates.isEmpty { return false }
        // The nodes upstream of the pipeline, the nearest first. The new one is usually among them.
        var upstream = [name]
        var seen = Set(upstream)
        var index = 0
        while index < upstream.count {
            if candidates.contains(upstream[index]) { return true }
            upstream += (pipelines[upstream[index]]?.dependencies ?? []).filter { seen.insert($0).inserted }
            index += 1
        }
        return false
    }

    // MARK: - Sinks

    private func sinks(of pipeline: String) -> [SinkSet.Summary] {
        runs[pipeline]?.sinkSummaries ?? []
    }

    private func sinkChanges(of pipeline: Plan.Pipeline, _ names: [String]) -> [GraphChanges.Change] {
        let old = sinks(of: pipeline.name)
        let known = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        let isKept = kept.contains(pipeline.name)
        let changes = zip(names, pipeline.sinks).map { name, sink in
            guard let before = known[name] else { return change(of: name, in: pipeline.name, .start) }
            let isSame = before.content.hasSameBytes(as: sink.content)
            if isSame, isKept { return change(of: name, in: pipeline.name, .keep, waiting(before, "stay")) }
            let reason = isSame ? [] : ["its configuration has changed"]
            let wait = before.flow.queued > 0 ? "\(drain) for the current work of the sink that it replaces" : nil
            return change(
                of: name, in: pipeline.name, isSame ? .rewire : .restart,
                reason + waiting(before, "are taken over") + (wait.map { ["its events wait \($0)"] } ?? []), wait: wait)
        }
        return changes + stopped(old.filter { !names.contains($0.name) }, of: pipeline.name)
    }

    private func stopped(_ sinks: [SinkSet.Summary], of pipeline: String) -> [GraphChanges.Change] {
        sinks.map { sink in
            let flow = sink.flow
            let queued = flow.queued == 0 ? [] : ["\(flow.queued) queued, lost unless finished \(deadline)"]
            let spooled =
                flow.spooled == 0 ? [] : ["\(flow.spooled) spooled, kept until a sink of this name delivers them"]
            return change(of: sink.name, in: pipeline, .stop, queued + spooled)
        }
    }

    private func waiting(_ sink: SinkSet.Summary, _ fate: String) -> [String] {
        let counts = [(sink.flow.queued, "queued"), (sink.flow.spooled, "spooled")].filter { $0.0 > 0 }
            .map { "\($0) \($1)" }
        return counts.isEmpty ? [] : ["\(counts.joined(separator: " and ")) \(fate)"]
    }

    private func change(
        of sink: String, in pipeline: String, _ effect: GraphChanges.Effect, _ notes: [String] = [],
        wait: String? = nil
    ) -> GraphChanges.Change {
        GraphChanges.Change(kind: .sink, name: "\(pipeline)/\(sink)", effect: effect, notes: notes, wait: wait)
    }
}
