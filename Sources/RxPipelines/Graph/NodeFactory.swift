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
    let deadLetters: DeadLetterRouter
    /// The memory that the unsettled values of a source may take, in bytes.
    let memoryOfSource: Int
    /// The unsettled events that the previous process left, by source.
    let redelivered: [String: [UnsettledEvent]]
    /// The progress of sinks since the snapshot, by source and event id.
    let finished: [String: [String: SinkProgress]]
    /// The states of nodes from the previous process, by name.
    let restored: [String: NodeState]
    /// The positions that sources resume from.
    let positions: [String: JSON]
    /// Called when a sink has finished, or failed on, an event that may be delivered again after a crash.
    let onProgress: @Sendable (UnsettledEvent) -> Void
    let onChange: (@Sendable (Graph.Change) -> Void)?
    let onExit: @Sendable (String) -> Void

    /// The node of a source: its events are numbered, shared, and charged to its account.
    ///
    /// - Parameters:
    ///   - source: the source in the plan.
    ///   - component: the component that it runs in.
    ///   - before: the intake that the source's intake replaces.
    func node(of source: Plan.Source, in component: Component, inPlaceOf before: Intake?) -> Node {
        let scheduler = component.scheduler
        let account = Resources.Account(source.name)
        let arming = Arming()
        let name = source.name
        let fires = source.kind.period.map { _ in account.charge { PublishSubject<Void>() } }
        let armed: @Sendable () -> Void = { [records, generation] in
            records.write(
                Record(
                    .source, generation: generation(), "\(name) is armed: \(source.kindName) \(source.kind.summary)",
                    [.source: name]))
            arming.resolve()
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
        let activity = NodeActivity(
            name, on: scheduler, host.taps, failureOfSource: { [kind = source.kind] in kind.failure(in: $0) },
            onPollChange: { [records, generation] event, failure in
                let message =
                    failure.map { "a poll has failed: \($0); further failures are recorded after a success only" }
                    ?? "a poll has succeeded again"
                records.write(
                    Record(
                        .source, .notice, generation: generation(), "\(name): \(message)",
                        [
                            .source: name, .sequence: String(event.sequence), .cause: event.cause, .eventID: event.id,
                            .error: failure,
                        ]))
            })
        let intake = Intake(
            name, on: scheduler, limit: source.kind.settings.inFlight, backpressure: source.kind.backpressure,
            memoryLimit: memoryOfSource, hasLargeValues: source.kind.hasLargeValues,
            redelivering: redelivered[name] ?? [], onProgress: onProgress,
            record: record,
            onLeft: { [onChange] in onChange?(.unsettled) },
            positions: memory?.cell(Intake.positionPath, positions[name], .optionalValue)
                ?? StateCell(nil, .optionalValue),
            accepted: component.accepted, finished: finished[name] ?? [:],
            onCaughtUp: { [onChange] in onChange?(.caughtUp(source: name)) }, taps: host.taps, inPlaceOf: before)
        let shared = account.charge {
            let context = SourceContext(
                name: name, scheduler: scheduler, host: host, armed: armed, position: { intake.position },
                began: { intake.begin(at: $0) }, caughtUp: { intake.catchUp() }, makePermits: { intake.makePermits() },
                fires: fires?.observe(on: scheduler) ?? .never(), waits: { activity.waits($0) }, record: record)
            let armsLater = source.kind.armsLater
            let values = source.kind.values(in: context)
            return Observable.source { sink in
                defer { if !armsLater { armed() } }
                return intake.run(values, into: sink)
            }
            // A source that cannot be armed is retried; its failure resolves the arming, so that the start continues.
            .do(onError: { error in
                record(.err, "failed: \(error)", error)
                activity.failed("\(error)")
                arming.resolve(error)
            })
            .shared(replay: 1, countedIn: activity, chargedTo: account, in: memory)
        }
        return Node(
            name, source.content, secrets, inputs: [], in: component, account, arming: arming,
            armsLater: source.kind.armsLater, memory: memory, activity: activity, intake: intake, fires: fires,
            rejectsWhenClosed: !source.kind.isStoppedByHost,
            stores: stores(of: source.kind), shared)
    }

    private func stores(of kind: any SourceKind) -> Node.StoreActions? {
        guard kind.isKeptByHost else { return nil }
        return Node.StoreActions(
            prepare: { [host] in try kind.prepareToStore(on: host, isUrgent: $0) },
            done: { [host] in kind.stored($0, on: host) })
    }

    /// The node of a pipeline: the output of its steps for its inputs, supervised, shared, and charged to its account.
    func node(of pipeline: Plan.Pipeline, from inputs: [Node], in component: Component) -> Node {
        let scheduler = component.scheduler
        let account = Resources.Account(pipeline.name)
        let nodes = Dictionary(inputs.map { ($0.name, $0) }) { first, _ in first }
        let memory = pipeline.isVolatile ? nil : memory(of: pipeline.name, on: scheduler)
        let activity = NodeActivity(pipeline.name, on: scheduler, host.taps)
        let fail: @Sendable (PipelineError) -> Void = { error in
            activity.failed("\(error)", on: error.failedEvent?.origin)
            handleFailure(error)
        }
        let names = pipeline.steps.indices.compactMap { memory?.step(at: "\($0)") }
        let input = PipelineInput(of: pipeline.name, host.taps, hasSteps: !pipeline.steps.isEmpty) { event in
            event.changeResults { $0.prepareRedelivery(to: names) }
        }
        let events: @Sendable (String) -> Observable<PipelineEvent> = { name in
            // The plan's reader has checked that the node exists.
            nodes[name].map { input.passing($0.events(in: component), from: $0) } ?? .empty()
        }
        var context = StepContext(
            pipeline: pipeline.name, scheduler: scheduler, arena: component.arena, account: account, host: host,
            records: records, generation: generation, secrets: secrets, innerSources: innerSources, node: events,
            restarting: { error in
                fail(PipelineError(pipeline: pipeline.name, consequence: .stepsRestartWithoutState, cause: error))
            }, run: RunID.make(on: scheduler))
        context.memory = memory
        context.quota = host.memory.quota()
        let early = memory?.isRestored == true ? [] : redeliveredIDs
        if pipeline.onError == .restart {
            context.drop = { error, event in
                fail(PipelineError(pipeline: pipeline.name, event: event, cause: error))
            }
        }
        let stepContext = context
        let completion = PipelineCompletion(of: pipeline.name, inputs: inputs) { [records, generation] message in
            records.write(Record(.source, .notice, generation: generation(), message, [.pipeline: pipeline.name]))
        }
        let shared = account.charge {
            self.inputs(of: pipeline, from: nodes, through: input, in: stepContext, events)
                .droppingRestoredReplays(memory)
                .without(redelivered: early)
                .supervised(
                    through: { events in
                        memory?.startRun()
                        return pipeline.steps.apply(to: events, in: stepContext) { output, index in
                            completion.trackingEnd(output, of: pipeline.placedSteps[index])
                        }
                    }, pipeline.onError, account, on: scheduler, input: input, completion: completion,
                    onFailure: fail, onExit: onExit
                )
                .shared(
                    replay: pipeline.replay, scope: pipeline.scope, countedIn: activity, chargedTo: account, in: memory,
                    quota: host.memory.quota())
        }
        return Node(
            pipeline.name, pipeline.content, secrets, inputs: inputs, in: component, account,
            locationCells: pipeline.locationCells, memory: memory, activity: activity, steps: (input, pipeline.inputs),
            takesFailures: pipeline.takesFailures, completion: completion, shared)
    }

    private func memory(of name: String, on scheduler: any SchedulerType) -> NodeMemory? {
        onChange.map { onChange in
            NodeMemory(run: "\(name):\(RunID.make(on: scheduler))", restoring: restored[name]) { onChange(.state) }
        }
    }

    /// The events of a pipeline's inputs, and the failed events of other pipelines if it receives those.
    private func inputs(
        of pipeline: Plan.Pipeline, from nodes: [String: Node], through input: PipelineInput,
        in context: StepContext, _ events: (String) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        let inputs = pipeline.inputs.events(
            in: context.memory, waitingIn: pipeline.inputs.queues(in: context),
            isBranching: Self.haveCommonOrigin(pipeline.inputs.members.map { nodes[$0.node.text] }), events)
        guard pipeline.takesFailures else { return inputs }
        let failed = input.passing(deadLetters.events(to: pipeline.name, on: context.scheduler), from: nil)
        if pipeline.inputs.members.isEmpty { return failed }
        return .merge(inputs, failed.map { $0.on($0.branch.appending(InputNodes.failures)) })
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

    /// Records a failure, and sends the event that failed to its receivers.
    private func handleFailure(_ failure: PipelineError) {
        failure.report()
        guard let pipeline = failure.pipeline, let event = failure.failedEvent,
            let description = failure.eventDescription
        else { return }
        deadLetters.send(description, of: event, from: pipeline)
    }
}

extension Observable where Element == PipelineEvent {
    /// Drops replayed events while a node starts from a snapshot: its steps have processed them.
    func droppingRestoredReplays(_ memory: NodeMemory?) -> Observable {
        guard let memory, memory.isRestored else { return self }
        return filter { !memory.hasSeen($0) }
    }

    /// Drops replayed events that are redelivered anyway.
    fileprivate func without(redelivered ids: Set<String>) -> Observable {
        ids.isEmpty ? self : filter { !$0.isReplayed || !ids.contains($0.origin.id) }
    }
}
