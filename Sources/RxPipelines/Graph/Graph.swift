import FoundationEssentials
import RxEngine

/// A plan made into observables, ready to run.
///
/// Each connected component of the plan runs on one serial scheduler of its own: inside it nothing is locked and order
/// is exact, and two components never wait for each other.
package final class Graph: Sendable {
    /// Makes the scheduler of the component with the given name.
    package typealias MakeScheduler = @Sendable (String) -> any SchedulerType

    private let runs: [PipelineRun]
    /// Of the sources that something runs from.
    private let arms: [Arming]
    /// One for each component that has something to run.
    package let schedulers: [any SchedulerType]

    /// What each pipeline's live objects are charged to.
    package let accounts: [Resources.Account]
    /// What each source's live objects are charged to.
    package let sourceAccounts: [Resources.Account]

    /// The graph of `plan`. Nothing runs yet.
    package init(
        _ plan: Plan, generation: Int, host: Host, records: any RecordWriter,
        printLine: @escaping @Sendable (String) -> Void, makeScheduler: MakeScheduler
    ) {
        var components = Components()
        for pipeline in plan.pipelines { components.join(pipeline.name, pipeline.from) }
        var schedulers: [String: any SchedulerType] = [:]
        func scheduler(of node: String) -> any SchedulerType {
            let component = components.name(of: node)
            if let scheduler = schedulers[component] { return scheduler }
            let new = makeScheduler(component)
            schedulers[component] = new
            return new
        }

        var nodes: [String: Observable<PipelineEvent>] = [:]
        var arms: [String: Arming] = [:]
        let sourceAccounts = plan.sources.map { Resources.Account($0.name) }
        for (source, account) in zip(plan.sources, sourceAccounts) {
            let armed = Record(
                .source, generation: generation, "\(source.name) is armed: \(source.kindName) \(source.kind.summary)",
                [.source: source.name])
            let arming = Arming()
            arms[source.name] = arming
            nodes[source.name] = Self.node(of: source, account, host, on: scheduler(of: source.name), arming) {
                records.write(armed)
            }
        }
        let accounts = plan.pipelines.map { Resources.Account($0.name) }
        var runs: [PipelineRun] = []
        for (pipeline, account) in zip(plan.pipelines, accounts) {
            guard let upstream = nodes[pipeline.from] else { continue }
            let scheduler = scheduler(of: pipeline.name)
            let node = account.charge {
                upstream.keptGoing(through: { pipeline.apply(to: $0, on: scheduler) }, account, on: scheduler)
                    .share(replay: pipeline.replay, scope: pipeline.scope)
            }
            nodes[pipeline.name] = node
            guard !pipeline.sinks.isEmpty else { continue }
            let surroundings = SinkSurroundings(
                pipeline: pipeline.name, generation: generation, records: records, printLine: printLine)
            runs.append(PipelineRun(node, pipeline.sinks, surroundings, account, on: scheduler))
        }
        self.runs = runs
        self.accounts = accounts
        self.sourceAccounts = sourceAccounts
        let used = Set(runs.map { components.name(of: $0.account.name) })
        self.arms = plan.sources.filter { Self.isRun($0.name, in: plan) }
            .compactMap { arms[$0.name] }
        self.schedulers = schedulers.filter { used.contains($0.key) }.map(\.value)
    }

    /// Starts every pipeline that has a sink, each on its component's scheduler, and calls `onArmed` when all have, and
    /// their sources are armed or have failed.
    ///
    /// - Returns: what stops them.
    package func start(onArmed: @escaping @Sendable () -> Void) -> any Disposable {
        let armed = Countdown(runs.count + arms.count, onArmed)
        for arming in arms { arming.whenSettled { armed.count() } }
        for run in runs {
            _ = run.scheduler.schedule(()) {
                run.start()
                armed.count()
                return Disposables.create()
            }
        }
        return Disposables.create(runs)
    }

    /// Whether anything with a sink starts from a node, directly or not.
    private static func isRun(_ node: String, in plan: Plan) -> Bool {
        var nodes: Set<String> = [node]
        for pipeline in plan.pipelines where nodes.contains(pipeline.from) {
            if !pipeline.sinks.isEmpty { return true }
            nodes.insert(pipeline.name)
        }
        return false
    }

    /// A source as a node: numbered, shared, and charged to its account. `onArmed` is called whenever a run of it has
    /// started.
    private static func node(
        of source: Plan.Source, _ account: Resources.Account, _ host: Host, on scheduler: any SchedulerType,
        _ arming: Arming, onArmed: @escaping @Sendable () -> Void
    ) -> Observable<PipelineEvent> {
        let sequence = Sequencer()
        let name = source.name
        return account.charge {
            let armed: @Sendable () -> Void = {
                onArmed()
                arming.settle()
            }
            let surroundings = SourceSurroundings(scheduler: scheduler, host: host, armed: armed)
            let armsLater = source.kind.armsLater
            let events = source.kind.events(in: surroundings).map { value in
                PipelineEvent(
                    value, source: name, sequence: sequence.next(), time: scheduler.now.timeIntervalSince1970)
            }
            return Observable.source { sink in
                defer { if !armsLater { armed() } }
                return events.run(sink)
            }
            // One that cannot be armed is tried again and again, and holds up nobody meanwhile.
            .do(onError: { _ in arming.settle() })
            .charged(to: account)
            .share(replay: 1)
        }
    }
}

extension Plan.Pipeline {
    /// What the pipeline's steps, one after the other, make of `events`.
    fileprivate func apply(
        to events: Observable<PipelineEvent>, on scheduler: any SchedulerType
    ) -> Observable<PipelineEvent> {
        steps.reduce(events) { $1.apply(to: $0, on: scheduler) }
    }
}
