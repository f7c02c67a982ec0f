import RxDiagnostics
import RxEngine
import Synchronization

/// A plan made into observables, ready to run.
///
/// Each connected component of the plan runs on one serial scheduler of its own: inside it nothing is locked and order
/// is exact, and two components never wait for each other.
///
/// A graph may take the place of another. What the new plan says of in the same words, the two share: it goes on as if
/// nothing had happened.
package final class Graph: Sendable {
    /// Makes the scheduler of the component with the given name.
    package typealias MakeScheduler = @Sendable (String) -> any SchedulerType

    /// In the plan's order: sources first, each pipeline after those it takes events from.
    let nodes: [Node]
    let runs: [PipelineRun]
    /// The names of the sinks, by pipeline, also of pipelines that the config no longer has.
    package let sinkAllotments: [String: SinkAllotment]
    /// Those that the graph before has, too.
    let kept: Set<ObjectIdentifier>
    /// Those that start by themselves: of a first graph all.
    private let ahead: [PipelineRun]
    /// Whether it takes no other's place.
    private let isFirst: Bool
    /// The sources that must be armed before this graph replaces another: those of a first graph, all, and else new
    /// ones and those that the other has not armed yet.
    private let awaited: [Node]
    /// Holds these until pipelines do, which get to see nothing before.
    let warm = CompositeDisposable()
    let ownership: RunOwnership
    /// Of all graphs that follow one another.
    let innerSources: RunningCount
    let retired: RetiredRuns
    /// Records the events that were left in the steps of a pipeline that was replaced, and whether they are
    /// redelivered.
    let recordInFlight: @Sendable (_ pipeline: String, _ events: [SourceEvent], _ isRedelivered: Bool) -> Void
    let deadLetters: DeadLetters
    /// Where failed events of each pipeline go.
    let routes: [String: [String]]
    /// The names of the nodes that start with this graph.
    let starting: Set<String>
    /// Whether what is unsettled at the end is saved.
    private let isSaved: Bool
    /// Whether letting go of an event settles it no more.
    private let frozen = Atomic(false)
    var isFrozen: Bool {
        get { frozen.load(ordering: .acquiring) }
        set { frozen.store(newValue, ordering: .releasing) }
    }
    /// Of what is kept, the places, and where the new plan has them.
    let moves: [(places: [SourceLocationCell], others: [SourceLocationCell])]
    /// The settings of the sources, some of which are in use already, with others.
    let settings: [(intake: Intake, settings: SourceSettings)]
    /// One for each component that has something to run.
    package let schedulers: [any SchedulerType]

    /// What each pipeline's live objects are charged to.
    package let accounts: [Resources.Account]
    /// Those of pipelines that, once they run, subscribe to nothing more, with the number of their sinks.
    package let steady: [(account: Resources.Account, sinks: Int)]
    /// What each source's live objects are charged to.
    package let sourceAccounts: [Resources.Account]

    /// The graph of `plan`, in place of `previous`. Nothing new runs yet.
    ///
    /// - Parameters:
    ///   - generation: the number of the config that is running, for records.
    ///   - snapshot: what the previous process left.
    ///   - onProgress: called when a sink has finished an event that may be delivered again after a crash.
    ///   - whenNoted: calls the closure when what `onProgress` was called with is stored; `false`, without a call, if it is.
    ///   - onChange: called when something has changed that is to be saved; `nil` if nothing is saved.
    ///   - isSaved: whether what is unsettled at the end is saved.
    ///   - onExit: called with the reason when a pipeline fails whose failure ends the daemon.
    package init(
        _ plan: Plan, replacing previous: Graph? = nil, generation: @escaping @Sendable () -> Int, host: Host,
        records: any RecordWriter, printLine: @escaping PrintLine, resuming snapshot: Snapshot = Snapshot(),
        onProgress: @escaping @Sendable (UnsettledEvent) -> Void = { _ in },
        whenNoted: @escaping SinkContext.WhenNoted = { _ in false },
        onChange: (@Sendable (Change) -> Void)? = nil, isSaved: Bool = true,
        onExit: @escaping @Sendable (String) -> Void = { _ in }, makeScheduler: @escaping MakeScheduler
    ) {
        let redelivered = snapshot.events.sorted { $0.order < $1.order }.enumerated().map { $1.numbered($0 + 1) }
        innerSources = previous?.innerSources ?? RunningCount()
        let deadLetters = previous?.deadLetters ?? DeadLetters()
        self.deadLetters = deadLetters
        routes = Dictionary(plan.pipelines.map { ($0.name, $0.failuresTo) }) { first, _ in first }
        let factory = NodeFactory(
            host: host, records: records, generation: generation, secrets: plan.secrets,
            innerSources: innerSources, deadLetters: deadLetters,
            redelivered: Dictionary(grouping: redelivered, by: \.event.source),
            finished: snapshot.finished, restored: plan.restorable(from: snapshot),
            positions: plan.positions(in: snapshot), onProgress: onProgress, onChange: onChange, onExit: onExit)
        // A source that does not resume emits nothing again.
        for source in snapshot.finished.keys where factory.positions[source] == nil {
            onChange?(.caughtUp(source: source))
        }
        retired = previous?.retired ?? RetiredRuns()
        self.isSaved = isSaved
        recordInFlight = { pipeline, events, isRedelivered in
            let (count, fate) = (events.count, isRedelivered ? "redelivering" : "lost")
            records.write(
                Record(
                    .lifecycle, isRedelivered ? .notice : .warning, generation: generation(),
                    "\(pipeline): \(counted(count, "event")) in flight in the old steps; \(fate): \(events.names)",
                    [
                        .phase: "reloading", .pipeline: pipeline, .dropped: isRedelivered ? nil : String(count),
                        .unsettled: isRedelivered ? String(count) : nil,
                    ]))
        }
        var components = PlannedComponents(
            plan, after: previous?.nodes ?? [], redelivering: redelivered.count, makeScheduler)
        let before = Dictionary((previous?.nodes ?? []).map { ($0.name, $0) }) { first, _ in first }
        var made: [String: Node] = [:]
        func keep(_ name: String, _ content: String, _ inputs: [Node]) -> Node? {
            before[name].flatMap { $0.isSame(content, inputs) ? $0 : nil }
        }
        for source in plan.sources {
            made[source.name] =
                keep(source.name, source.content, [])
                ?? factory.node(
                    of: source, in: components[source.name], inPlaceOf: before[source.name]?.intake)
        }
        let spooledSinks = host.spools.map { $0.sinksReadAtOnce() } ?? []
        let allotments =
            previous.map { plan.sinkAllotments(after: $0.sinkAllotments) }
            ?? plan.sinkAllotments(resuming: snapshot, spools: spooledSinks)
        sinkAllotments = allotments
        let runsBefore = Dictionary((previous?.runs ?? []).map { ($0.account.name, $0) }) { first, _ in first }
        var runs: [PipelineRun] = []
        var kept: Set<ObjectIdentifier> = []
        var moves: [(places: [SourceLocationCell], others: [SourceLocationCell])] = []
        for pipeline in plan.pipelines {
            let inputs = pipeline.dependencies.compactMap { made[$0] }
            let same = keep(pipeline.name, pipeline.content, inputs)
            if let same { moves.append((same.places, pipeline.places)) }
            let node = same ?? factory.node(of: pipeline, from: inputs, in: components[pipeline.name])
            made[pipeline.name] = node
            guard !pipeline.sinks.isEmpty else { continue }
            if let run = runsBefore[pipeline.name], run.isSame(node, pipeline.sinks) {
                kept.insert(ObjectIdentifier(run))
                runs.append(run)
                moves += zip(run.places, pipeline.sinks).map { ($0, $1.places) }
                continue
            }
            var context = SinkContext(
                pipeline: pipeline.name, currentGeneration: generation, host: host, records: records,
                printLine: printLine, deadLetters: deadLetters, whenNoted: whenNoted)
            context.spooledSinks = spooledSinks ?? []
            let run = PipelineRun(
                node, pipeline.sinks, allotments[pipeline.name, default: SinkAllotment()], retired, context,
                inPlaceOf: runsBefore[pipeline.name])
            moves += run.moves
            runs.append(run)
        }
        self.moves = moves
        settings = plan.sources.compactMap { source in
            made[source.name]?.intake.map { ($0, source.kind.settings) }
        }
        plan.assignPlaces { made[$0]?.component }
        nodes = plan.sources.compactMap { made[$0.name] } + plan.pipelines.compactMap { made[$0.name] }
        accounts = plan.pipelines.compactMap { made[$0.name]?.account }
        sourceAccounts = plan.sources.compactMap { made[$0.name]?.account }
        steady = plan.pipelines.filter { $0.steps.allSatisfy(\.isSteady) }.compactMap { pipeline in
            made[pipeline.name].map { ($0.account, pipeline.sinks.count) }
        }
        self.runs = runs
        self.kept = kept
        isFirst = previous == nil

        let new = runs.filter { !kept.contains(ObjectIdentifier($0)) }
        starting = Set(new.map(\.node).upstream.map(\.name)).subtracting((previous?.nodes ?? []).map(\.name))
        ownership = RunOwnership(new)
        if let previous {
            let old = Set(previous.nodes.map { ObjectIdentifier($0) })
            ahead = []
            awaited = runs.map(\.node).upstream.filter { node in
                old.contains(ObjectIdentifier(node)) ? node.arming?.isSettled == false : node.armsLater
            }
        } else {
            ahead = new
            awaited = new.map(\.node).upstream.filter { $0.arming != nil }
        }
        self.schedulers = runs.map(\.node).upstream.map(\.component).withoutRepetitions.map(\.scheduler)
    }

    /// Starts what is new: of a first graph every pipeline that has a sink, each on its component's scheduler, and of
    /// one that takes another's place the sources that have to be waited for. Calls `onArmed` when all have started,
    /// and the sources are armed or have failed, with what they failed with.
    package func start(onArmed: @escaping @Sendable ([ArmingFailure]) -> Void) {
        let failures = ArmingFailures()
        let armed = Countdown(ahead.count + awaited.count) { onArmed(failures.all) }
        for node in awaited {
            let name = node.name
            node.arming?.whenSettled { error in
                if let error { failures.add(ArmingFailure(source: name, error: error)) }
                armed.count()
            }
            guard ahead.isEmpty else { continue }
            node.scheduler.perform { [warm] in
                node.account.charge {
                    _ = warm.insert(node.events(in: node.component).subscribe(onError: { _ in }))
                }
            }
        }
        // Sources of a graph that takes another's place pass events when it has.
        guard isFirst else { return }
        deadLetters.use(routes, starting: starting)
        // All pipelines of a component subscribe in one turn. Then its sources emit.
        let groups = Dictionary(grouping: ahead, by: \.node.component)
        for component in Set(nodes.map(\.component)) {
            component.scheduler.perform { [self] in
                for run in groups[component] ?? [] {
                    run.start()
                    armed.count()
                }
                haveStarted(nodes.filter { $0.component === component })
            }
        }
    }

    /// All pipelines of a component have subscribed.
    func haveStarted(_ nodes: [Node]) {
        Intake.open(nodes.compactMap(\.intake))
        for node in nodes { node.memory?.started() }
        deadLetters.started(nodes.map(\.name))
    }

    /// Lets no pipeline get more events, and calls `done` when their sinks have finished with those that came.
    package func drain(_ done: @escaping @Sendable () -> Void) {
        let runs = ownership.all
        let left = Countdown(runs.count, done)
        for run in runs { run.drain { left.count() } }
    }

    /// The keys of all sinks, by which spools are known.
    package var sinkKeys: Set<String> { Set(runs.flatMap(\.sinkKeys)) }

    /// Those of the sinks that deliver what is stored for them.
    package var spooledSinkKeys: Set<String> { Set(runs.flatMap(\.spooledSinkKeys)) }

    /// Stops every pipeline, but for those that the graph before has, too, as long as this one has not taken its place.
    package func dispose() {
        warm.dispose()
        // Those of graphs before finish what they have, unless it is time to stop.
        for run in ownership.all + (isFrozen ? retired.all : []) { run.dispose(keepsEvents: isFrozen && isSaved) }
    }

    /// What the live objects are charged to of the nodes that `next` does not have. They must come to nothing.
    package func retired(by next: Graph) -> [Resources.Account] {
        let kept = Set(next.nodes.map { ObjectIdentifier($0) })
        return nodes.filter { !kept.contains(ObjectIdentifier($0)) }.map(\.account)
    }
}

extension [Node] {
    /// These and all that they take events from, each once.
    var upstream: [Node] {
        var seen: Set<ObjectIdentifier> = []
        var found: [Node] = []
        var waiting = self
        while let node = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
            found.append(node)
            waiting += node.inputs
        }
        return found
    }
}

extension [Component] {
    var withoutRepetitions: [Component] {
        var seen: Set<ObjectIdentifier> = []
        return filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

extension SchedulerType {
    /// Does `body` in a turn of its own.
    func perform(_ body: @escaping @Sendable () -> Void) {
        _ = schedule(()) {
            body()
            return Disposables.create()
        }
    }
}
