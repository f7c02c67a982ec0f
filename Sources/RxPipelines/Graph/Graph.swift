import RxDiagnostics
import RxEngine
import Synchronization

/// A plan as observables, ready to run.
///
/// Each connected component of the plan runs on a serial scheduler of its own: inside a component nothing is locked and
/// the order of events is exact, and two components never wait for each other.
///
/// A graph may replace another one. The two share every node whose text in the configuration is unchanged: it keeps
/// running without interruption.
package final class Graph: Sendable {
    /// Makes the scheduler of the component with the given name.
    package typealias MakeScheduler = @Sendable (String) -> any SchedulerType

    /// The nodes in the plan's order: sources first, each pipeline after those it takes events from.
    let nodes: [Node]
    let runs: [PipelineRun]
    /// The names of the sinks, by pipeline, also of pipelines that the configuration no longer has.
    package let sinkNames: [String: SinkNames]
    /// The runs that the previous graph has, too.
    let kept: Set<ObjectIdentifier>
    /// The runs that ``start(onArmed:)`` starts: all runs of a first graph, none of any other.
    private let initialRuns: [PipelineRun]
    /// Whether this graph replaces no other.
    private let isFirst: Bool
    /// The sources whose arming ``start(onArmed:)`` reports: all of a first graph; otherwise the new ones, and those
    /// that the previous graph has not armed yet.
    private let awaitedSources: [Node]
    /// The subscriptions that keep new sources armed until the pipelines subscribe to them.
    let armingSubscriptions = CompositeDisposable()
    let ownership: RunOwnership
    /// The running inner sources of this graph and of all graphs before it.
    let innerSources: RunningCount
    let retired: RetiredRuns
    /// Records the events that were left in the steps of a replaced pipeline, and whether they are redelivered.
    let recordInFlight: @Sendable (_ pipeline: String, _ events: [SourceEvent], _ isRedelivered: Bool) -> Void
    let deadLetters: DeadLetterRouter
    /// The pipelines that receive the failed events of each pipeline.
    let routes: [String: [String]]
    /// The names of the nodes that start with this graph.
    let starting: Set<String>
    /// Whether the events that are unsettled at the end are saved.
    private let isSaved: Bool
    /// Whether releasing a delivery no longer settles its event.
    private let frozen = Atomic(false)
    var isFrozen: Bool {
        get { frozen.load(ordering: .acquiring) }
        set { frozen.store(newValue, ordering: .releasing) }
    }
    /// The locations of everything that is kept, and the locations of the same in the new configuration.
    let moves: [(locationCells: [SourceLocationCell], others: [SourceLocationCell])]
    /// The new settings of the sources. A kept intake still has its old ones.
    let settings: [(intake: Intake, settings: SourceSettings)]
    /// The memory that the unsettled values of each source may take, in bytes.
    let memoryOfSource: Int
    /// The schedulers of the components that have a run.
    package var schedulers: [any SchedulerType] { watchedSchedulers.map(\.scheduler) }
    package let watchedSchedulers: [WatchedScheduler]

    /// The accounts of the pipelines.
    package let accounts: [Resources.Account]
    /// The subscriptions that each pipeline has by the plan.
    package let expectedSubscriptions: [ExpectedSubscriptions]
    /// The accounts of the sources.
    package let sourceAccounts: [Resources.Account]

    /// Makes the graph of `plan`. Nothing new runs yet.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - previous: the graph that this one replaces; `nil` for the first graph of a process.
    ///   - generation: returns the number of the configuration generation that is running, for records.
    ///   - host: the resources that all sources and sinks share.
    ///   - records: the writer of records.
    ///   - printLine: prints a line to standard output.
    ///   - snapshot: the snapshot of the previous process.
    ///   - onProgress: called when a sink has finished, or failed on, an event that may be delivered again after a
    ///     crash.
    ///   - whenNoted: calls a closure when all progress that `onProgress` has reported is stored; returns `false`,
    ///     without a call, if it is stored already.
    ///   - onChange: called when something that a snapshot contains has changed; `nil` if nothing is saved.
    ///   - isSaved: whether the events that are unsettled at the end are saved.
    ///   - onExit: called with the reason when a pipeline with `onError: exit` fails.
    ///   - makeScheduler: makes the serial scheduler of a component.
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
        let deadLetters = previous?.deadLetters ?? DeadLetterRouter()
        self.deadLetters = deadLetters
        routes = Dictionary(plan.pipelines.map { ($0.name, $0.failuresTo) }) { first, _ in first }
        memoryOfSource = host.memory.share(ofSources: plan.sources.count)
        let factory = NodeFactory(
            host: host, records: records, generation: generation, secrets: plan.secrets,
            innerSources: innerSources, deadLetters: deadLetters,
            memoryOfSource: memoryOfSource,
            redelivered: Dictionary(grouping: redelivered, by: \.event.source),
            finished: snapshot.finished, restored: plan.restorable(from: snapshot),
            positions: plan.positions(in: snapshot), onProgress: onProgress, onChange: onChange, onExit: onExit)
        // A source without a position emits no earlier event again.
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
        let namesOfSinks =
            previous.map { plan.sinkNames(after: $0.sinkNames) }
            ?? plan.sinkNames(resuming: snapshot, spools: spooledSinks)
        sinkNames = namesOfSinks
        let runsBefore = Dictionary((previous?.runs ?? []).map { ($0.account.name, $0) }) { first, _ in first }
        var runs: [PipelineRun] = []
        var kept: Set<ObjectIdentifier> = []
        var moves: [(locationCells: [SourceLocationCell], others: [SourceLocationCell])] = []
        for pipeline in plan.pipelines {
            let inputs = pipeline.dependencies.compactMap { made[$0] }
            let same = keep(pipeline.name, pipeline.content, inputs)
            if let same { moves.append((same.locationCells, pipeline.locationCells)) }
            let node = same ?? factory.node(of: pipeline, from: inputs, in: components[pipeline.name])
            made[pipeline.name] = node
            guard !pipeline.sinks.isEmpty else { continue }
            if let run = runsBefore[pipeline.name], run.isSame(node, pipeline.sinks) {
                kept.insert(ObjectIdentifier(run))
                runs.append(run)
                moves += zip(run.locationCells, pipeline.sinks).map { ($0, $1.locationCells) }
                continue
            }
            var context = SinkContext(
                pipeline: pipeline.name, currentGeneration: generation, host: host, records: records,
                printLine: printLine, deadLetters: deadLetters, whenNoted: whenNoted)
            context.spooledSinks = spooledSinks ?? []
            context.secrets = plan.secrets
            let run = PipelineRun(
                node, pipeline.sinks, namesOfSinks[pipeline.name, default: SinkNames()], retired, context,
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
        let runningPipelines = plan.runningPipelines
        expectedSubscriptions = plan.pipelines.compactMap { pipeline in
            made[pipeline.name].map {
                ExpectedSubscriptions(pipeline, isRunning: runningPipelines.contains(pipeline.name), $0.account)
            }
        }
        self.runs = runs
        self.kept = kept
        isFirst = previous == nil

        let new = runs.filter { !kept.contains(ObjectIdentifier($0)) }
        starting = Set(new.map(\.node).upstream.map(\.name)).subtracting((previous?.nodes ?? []).map(\.name))
        ownership = RunOwnership(new)
        if let previous {
            let old = Set(previous.nodes.map { ObjectIdentifier($0) })
            initialRuns = []
            awaitedSources = runs.map(\.node).upstream.filter { node in
                old.contains(ObjectIdentifier(node)) ? node.arming?.isResolved == false : node.armsLater
            }
        } else {
            initialRuns = new
            awaitedSources = new.map(\.node).upstream.filter { $0.arming != nil }
        }
        let running = runs.map(\.node).upstream
        let names = Dictionary(grouping: running) { ObjectIdentifier($0.component) }.mapValues { $0.map(\.name) }
        watchedSchedulers = running.map(\.component).withoutRepetitions(by: { ObjectIdentifier($0) }).map { component in
            WatchedScheduler(component.scheduler, of: names[ObjectIdentifier(component)] ?? []) {
                [client = component.arena.client] in client.longEvaluations
            }
        }
    }

    /// Starts every pipeline that has a sink, of a first graph.
    ///
    /// Of a graph that replaces another one, it only arms the new sources. Everything starts on the scheduler of its
    /// component.
    ///
    /// - Parameter onArmed: called with the failures when all pipelines have started and all sources are armed or have
    ///   failed.
    package func start(onArmed: @escaping @Sendable ([ArmingFailure]) -> Void) {
        let failures = Locked<[ArmingFailure]>([])
        let armed = CompletionLatch(initialRuns.count + awaitedSources.count) { onArmed(failures.withLock { $0 }) }
        for node in awaitedSources {
            let name = node.name
            node.arming?.whenResolved { error in
                if let error { failures.withLock { $0.append(ArmingFailure(source: name, error: error)) } }
                armed.countDown()
            }
            guard initialRuns.isEmpty else { continue }
            node.scheduler.perform { [armingSubscriptions] in
                node.account.charge {
                    _ = armingSubscriptions.insert(node.events(in: node.component).subscribe(onError: { _ in }))
                }
            }
        }
        // The sources of a graph that replaces another one pass events after the replacement.
        guard isFirst else { return }
        deadLetters.use(routes, starting: starting)
        // All pipelines of a component subscribe within one scheduled action. Its sources emit after that.
        let groups = Dictionary(grouping: initialRuns, by: \.node.component)
        for component in Set(nodes.map(\.component)) {
            component.scheduler.perform { [self] in
                for run in groups[component] ?? [] {
                    run.start()
                    armed.countDown()
                }
                haveStarted(nodes.filter { $0.component === component })
            }
        }
    }

    /// The number of awaited sources that are armed or have failed.
    package var armedCount: Int { awaitedSources.count { $0.arming?.isResolved == true } }

    /// Opens the nodes of a component, whose pipelines have all subscribed.
    func haveStarted(_ nodes: [Node]) {
        Intake.open(nodes.compactMap(\.intake))
        for node in nodes { node.memory?.started() }
        deadLetters.started(nodes.map(\.name))
    }

    /// Unsubscribes all pipelines, and calls `done` when their sinks have finished the events that they received.
    package func drain(_ done: @escaping @Sendable () -> Void) {
        let runs = ownership.all
        let left = CompletionLatch(runs.count, done)
        for run in runs { run.drain { left.countDown() } }
    }

    /// The keys of all sinks, which identify their spools.
    package var sinkKeys: Set<String> { Set(runs.flatMap(\.sinkKeys)) }

    /// The keys of the sinks that deliver the stored events of a spool.
    package var spooledSinkKeys: Set<String> { Set(runs.flatMap(\.spooledSinkKeys)) }

    /// Stops every pipeline that this graph owns.
    ///
    /// Before it has replaced the previous graph, that one owns the pipelines that both have.
    package func dispose() {
        armingSubscriptions.dispose()
        // Retired runs finish their work unless the daemon stops.
        for run in ownership.all + (isFrozen ? retired.all : []) { run.dispose(keepsEvents: isFrozen && isSaved) }
    }

    /// The accounts of the nodes that `next` does not have. Their counts must reach zero, or objects have leaked.
    package func retired(by next: Graph) -> [Resources.Account] {
        let kept = Set(next.nodes.map { ObjectIdentifier($0) })
        return nodes.filter { !kept.contains(ObjectIdentifier($0)) }.map(\.account)
    }
}

extension [Node] {
    /// The nodes in the list and all nodes that they take events from, directly or not, each once.
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

extension SchedulerType {
    /// Schedules `body` as an action of its own.
    func perform(_ body: @escaping @Sendable () -> Void) {
        _ = schedule(()) {
            body()
            return Disposables.create()
        }
    }
}
