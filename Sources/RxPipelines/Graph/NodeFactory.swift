import FoundationEssentials
import RxDiagnostics
import RxEngine
import RxJSON

/// Makes the nodes of a graph.
struct NodeFactory {
    let host: Host
    let records: any RecordWriter
    let generation: @Sendable () -> Int
    let secrets: Secrets
    let innerSources: RunningCount
    let deadLetters: DeadLetters
    /// What the process before has left of each source's events.
    let redelivered: [String: [UnsettledEvent]]
    /// What sinks have finished since the snapshot, by source and event.
    let finished: [String: [String: SinkProgress]]
    /// What nodes remember from the previous process.
    let restored: [String: NodeState]
    /// The positions that sources resume from.
    let positions: [String: JSON]
    /// Called when a sink has finished an event that may be delivered again after a crash.
    let onProgress: @Sendable (UnsettledEvent) -> Void
    let onChange: (@Sendable (Graph.Change) -> Void)?
    let onExit: @Sendable (String) -> Void

    /// A source as a node: numbered, shared, and charged to its account.
    ///
    /// - Parameter before: the intake in whose place that of this one is to be.
    func node(of source: Plan.Source, in component: Component, inPlaceOf before: Intake?) -> Node {
        let scheduler = component.scheduler
        let account = Resources.Account(source.name)
        let arming = Arming()
        let name = source.name
        let armed: @Sendable () -> Void = { [records, generation] in
            records.write(
                Record(
                    .source, generation: generation(), "\(name) is armed: \(source.kindName) \(source.kind.summary)",
                    [.source: name]))
            arming.settle()
        }
        let record: @Sendable (Priority, String, (any Error)?) -> Void = {
            [records, generation] priority, message, error in
            records.write(
                Record(
                    .source, priority, generation: generation(), "\(name): \(message)",
                    [
                        .source: name, .error: error.map { "\($0)" }, .errorType: error.map { "\(type(of: $0))" },
                    ]))
        }
        let memory = memory(of: name, on: scheduler)
        let intake = Intake(
            name, on: scheduler, limit: source.kind.settings.inFlight, backpressure: source.kind.backpressure,
            redelivering: redelivered[name] ?? [], onProgress: onProgress, record: record,
            onLeft: { [onChange] in onChange?(.unsettled) },
            positions: memory?.cell(Intake.positionPath, positions[name], .optionalValue)
                ?? StateCell(nil, .optionalValue),
            accepted: component.accepted, finished: finished[name] ?? [:],
            onCaughtUp: { [onChange] in onChange?(.caughtUp(source: name)) }, inPlaceOf: before)
        let shared = account.charge {
            let context = SourceContext(
                name: name, scheduler: scheduler, host: host, armed: armed, position: { intake.position },
                began: { intake.begin(at: $0) }, caughtUp: { intake.catchUp() }, makePermits: { intake.makePermits() },
                record: record)
            let armsLater = source.kind.armsLater
            let values = source.kind.values(in: context)
            return Observable.source { sink in
                defer { if !armsLater { armed() } }
                return intake.run(values, into: sink)
            }
            // One that cannot be armed is tried again and again, and holds up nobody meanwhile.
            .do(onError: { error in
                record(.err, "it has failed: \(error)", error)
                arming.settle(error)
            })
            .shared(replay: 1, chargedTo: account, in: memory)
        }
        return Node(
            name, source.content, secrets, inputs: [], in: component, account, arming: arming,
            armsLater: source.kind.armsLater, memory: memory, intake: intake,
            takesNoMoreWhenClosed: !source.kind.isStoppedByHost,
            stores: stores(of: source.kind), shared)
    }

    private func stores(of kind: any SourceKind) -> Node.Storing? {
        guard kind.isKeptByHost else { return nil }
        return Node.Storing(
            prepare: { [host] in try kind.prepareToStore(on: host, isUrgent: $0) },
            done: { [host] in kind.stored($0, on: host) })
    }

    /// A pipeline as a node: what its steps make of what it starts from, kept going, shared, and charged to its
    /// account.
    func node(of pipeline: Plan.Pipeline, from inputs: [Node], in component: Component) -> Node {
        let scheduler = component.scheduler
        let account = Resources.Account(pipeline.name)
        let nodes = Dictionary(inputs.map { ($0.name, $0) }) { first, _ in first }
        let memory = pipeline.isVolatile ? nil : memory(of: pipeline.name, on: scheduler)
        let names = pipeline.steps.indices.compactMap { memory?.step(at: "\($0)") }
        let input = PipelineInput(hasSteps: !pipeline.steps.isEmpty) { event in
            event.changeResults { $0.comeAgain(to: names) }
        }
        let events: @Sendable (String) -> Observable<PipelineEvent> = { name in
            // Reading has seen to it that there is one.
            nodes[name].map { input.passing($0.events(in: component), from: $0) } ?? .empty()
        }
        var context = StepContext(
            pipeline: pipeline.name, scheduler: scheduler, arena: component.arena, account: account, host: host,
            records: records, generation: generation, secrets: secrets, innerSources: innerSources, node: events,
            restarting: { error in
                self.lose(PipelineError(pipeline: pipeline.name, consequence: .stepsStartAfresh, cause: error))
            }, run: RunID.make(on: scheduler))
        context.memory = memory
        let early = memory?.isRestored == true ? [] : redeliveredIDs
        if pipeline.onError == .restart {
            context.drop = { error, event in
                self.lose(PipelineError(pipeline: pipeline.name, event: event, cause: error))
            }
        }
        let around = context
        let shared = account.charge {
            self.inputs(of: pipeline, from: nodes, through: input, in: memory, events, on: scheduler)
                .withoutRestored(memory)
                .without(redelivered: early)
                .supervised(
                    through: { events in
                        memory?.startRun()
                        return pipeline.steps.apply(to: events, in: around)
                    }, pipeline.onError, account,
                    on: scheduler, input: input, onFailure: { self.lose($0) }, onExit: onExit
                )
                .shared(replay: pipeline.replay, scope: pipeline.scope, chargedTo: account, in: memory)
        }
        return Node(
            pipeline.name, pipeline.content, secrets, inputs: inputs, in: component, account,
            places: pipeline.places, memory: memory, steps: (input, pipeline.inputs),
            takesFailures: pipeline.takesFailures, shared)
    }

    private func memory(of name: String, on scheduler: any SchedulerType) -> NodeMemory? {
        onChange.map { onChange in
            NodeMemory(run: "\(name):\(RunID.make(on: scheduler))", restoring: restored[name]) { onChange(.state) }
        }
    }

    /// What a pipeline starts from, and what others have failed on where it takes that.
    private func inputs(
        of pipeline: Plan.Pipeline, from nodes: [String: Node], through input: PipelineInput, in memory: NodeMemory?,
        _ events: (String) -> Observable<PipelineEvent>,
        on scheduler: any SchedulerType
    ) -> Observable<PipelineEvent> {
        let inputs = pipeline.inputs.events(
            in: memory, isBranching: Self.haveCommonOrigin(pipeline.inputs.members.map { nodes[$0.node.text] }), events)
        guard pipeline.takesFailures else { return inputs }
        let failed = input.passing(deadLetters.events(to: pipeline.name, on: scheduler), from: nil)
        if pipeline.inputs.members.isEmpty { return failed }
        return .merge(inputs, failed.map { $0.on($0.branch.going(Inputs.failures)) })
    }

    /// Whether an event of one source may come from several of the nodes.
    private static func haveCommonOrigin(_ nodes: [Node?]) -> Bool {
        var origins: Set<String> = []
        for node in nodes {
            guard let node, origins.isDisjoint(with: node.origins) else { return true }
            origins.formUnion(node.origins)
        }
        return false
    }

    private var redeliveredIDs: Set<String> { Set(redelivered.values.joined().map(\.event.id)) }

    /// A pipeline goes on without an event.
    private func lose(_ failure: PipelineError) {
        failure.report()
        guard let pipeline = failure.pipeline, let event = failure.failedEvent,
            let description = failure.eventDescription
        else { return }
        deadLetters.send(description, of: event, from: pipeline)
    }
}

extension Observable where Element == PipelineEvent {
    /// Drops what a node replays to one that goes on from a snapshot: its steps have seen that.
    func withoutRestored(_ memory: NodeMemory?) -> Observable {
        guard let memory, memory.isRestored else { return self }
        return filter { !memory.hasSeen($0) }
    }

    /// Drops what is replayed of events that are redelivered.
    fileprivate func without(redelivered ids: Set<String>) -> Observable {
        ids.isEmpty ? self : filter { !$0.isReplayed || !ids.contains($0.origin.id) }
    }
}
