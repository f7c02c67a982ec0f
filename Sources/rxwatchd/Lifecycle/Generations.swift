import RxEngine
import RxLinux
import RxPipelines

/// Starts generations, and puts one in the place of another.
struct Generations {
    let commands: Commands
    let host: Host
    let recorder: Recorder
    let lines: LineOutbox
    let secrets: HiddenSecrets
    let reporter: ResourceReporter
    let watchdog: Watchdog
    let handover: Handover
    let snapshots: SnapshotHandover
    /// Disposes the generation that runs.
    let running: SerialDisposable

    /// Starts the first generation, with what the previous process left.
    func startFirst(_ number: Int, _ plan: Plan) -> Generation {
        start(number, plan, resuming: snapshots.redelivering(snapshots.previousProcess(host.spools), to: plan))
    }

    /// Starts a generation, in the place of `running` if there is one. The command ``Command/armed(_:failures:)``
    /// follows.
    func start(
        _ number: Int, _ plan: Plan, replacing running: Generation? = nil, resuming snapshot: Snapshot = Snapshot()
    ) -> Generation {
        let (generation, records) = (recorder.generation, recorder.outbox)
        let (commands, lines, secrets, snapshots) = (commands, lines, secrets, snapshots)
        let graph = Graph(
            plan, replacing: running?.graph, generation: { generation.value }, host: host, records: records,
            printLine: { lines.put(secrets.hidden(in: $0), $1) },
            resuming: snapshot, onProgress: { snapshots.note($0) }, whenNoted: { snapshots.whenNoted($0) },
            // Where nothing is saved, too: steps that restart keep their state.
            onChange: { snapshots.saver?.changed($0) }, isSaved: snapshots.saver != nil,
            onExit: { commands.send(.stop(.failure($0))) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: "rx.\($0)") })
        if running == nil { snapshots.note(graph.sinkAllotments) }
        graph.start { failures in commands.send(.armed(number, failures: failures.map(\.description))) }
        if running == nil { snapshots.saver?.show(graph) }
        return Generation(number, plan, graph)
    }

    /// Passes events to `next`, and no longer to `previous`.
    func run(_ next: Generation, replacing previous: Generation?) {
        recorder.generation.value = next.number
        reporter.show(next)
        if let previous {
            snapshots.note(next.graph.sinkAllotments)
            next.replace(previous, reporter)
        }
        watchdog.watch(next.graph.schedulers)
        running.disposable = next
        recorder.recordSinkNames(of: next, after: previous)
        recorder.recordAbandoned(host.spools, next.graph)
        // Before the daemon is ready, it is stored where sources resume from: a slow disk is waited for.
        snapshots.saver?.show(next.graph, waiting: previous == nil ? .seconds(5) : .seconds(1))
    }

    func storeHandover() {
        recorder.attempt("keeping what is watched for the next process") { try handover.store(host.files) }
    }

    func reportResources(of running: Generation) {
        // What reading and starting the config has used.
        ResidentMemory.release()
        running.report(to: reporter)
    }
}
