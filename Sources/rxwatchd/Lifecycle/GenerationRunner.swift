import RxEngine
import RxLinux
import RxPipelines

/// Starts generations, and replaces one by another.
struct GenerationRunner {
    let commands: CommandQueue
    let host: Host
    let recorder: Recorder
    let lines: LineOutbox
    let secrets: HiddenSecrets
    let reporter: ResourceReporter
    let watchdog: Watchdog
    let handover: Handover
    let snapshots: SnapshotHandover
    let page: PageListener
    /// Holds the running generation.
    let running: SerialDisposable

    /// Starts the first generation, with the snapshot of the previous process.
    func startFirst(_ number: Int, _ plan: Plan) -> Generation {
        start(number, plan, resuming: snapshots.redelivering(snapshots.previousProcess(host.spools), to: plan))
    }

    /// Starts a generation, which is to replace `running` if there is one. The command
    /// ``DaemonCommand/armed(_:failures:)`` follows when its sources are armed.
    func start(
        _ number: Int, _ plan: Plan, replacing running: Generation? = nil, resuming snapshot: Snapshot = Snapshot()
    ) -> Generation {
        let (generation, records) = (recorder.generation, recorder.outbox)
        let (commands, lines, secrets, snapshots) = (commands, lines, secrets, snapshots)
        let graph = Graph(
            plan, replacing: running?.graph, generation: { generation.value }, host: host, records: records,
            printLine: { lines.put(secrets.hidden(in: $0), $1) },
            resuming: snapshot, onProgress: { snapshots.note($0) }, whenNoted: { snapshots.whenNoted($0) },
            // Also if nothing is saved: with this closure steps have cells, and keep their state when they restart.
            onChange: { snapshots.saver?.changed($0) }, isSaved: snapshots.saver != nil,
            onExit: { commands.send(.stop(.failure($0))) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: "rx.\($0)") })
        if running == nil { snapshots.store(graph.sinkNames) }
        graph.start { failures in commands.send(.armed(number, failures: failures.map(\.description))) }
        if running == nil { snapshots.saver?.show(graph) }
        return Generation(number, plan, graph)
    }

    /// Passes events to `next`, and no longer to `previous`: the swap of a reload.
    func run(_ next: Generation, replacing previous: Generation?) {
        recorder.generation.value = next.number
        if let previous {
            snapshots.store(next.graph.sinkNames)
            next.replace(previous, reporter)
        } else {
            reporter.show(next)
        }
        page.use(next.plan.page)
        watchdog.watch(next.graph.watchedSchedulers)
        running.disposable = next
        recorder.recordSinkNames(of: next, after: previous)
        recorder.recordAbandoned(host.spools, next.graph)
        // The positions from which sources resume are stored before the daemon is ready, so a slow disk delays that.
        snapshots.saver?.show(next.graph, waiting: previous == nil ? .seconds(5) : .seconds(1))
    }

    /// Stores the snapshot of watched files and the kernel's queue for the next process.
    func storeHandover() {
        recorder.attempt("storing the watches for the next process") { try handover.store(host.files) }
    }

    /// Starts the periodic records of live objects.
    func reportResources(of running: Generation) {
        // Returns the memory that reading and starting the configuration has used.
        ResidentMemory.release()
        running.report(to: reporter)
    }
}
