import RxControl
import RxDiagnostics
import RxEngine
import RxJQ
import RxLinux
import RxPipelines

/// The daemon, from its configuration to its exit code: creates its parts in order, and releases them.
///
/// The main thread runs the ``ReloadLoop``; pipelines, reports and the watchdog run on other threads. One root bag
/// holds everything that is alive: releasing it must bring the number of live objects back to what it was before.
final class Daemon {
    private let started = ContinuousClock.now
    private let commands = CommandQueue()
    private let secrets = HiddenSecrets()
    private let recorder: Recorder
    private let lines: LineOutbox
    private let reporter: ResourceReporter
    private let reader: ConfigReader

    /// - Parameters:
    ///   - config: the path of the configuration.
    ///   - showsResources: whether records of the numbers of live objects are printed if they are not written to the
    ///     journal.
    init(config: String, showsResources: Bool = true) {
        let hasColor = StandardStream.error.hasColor
        let outbox = RecordOutbox(hiding: secrets) { record in
            // A leak is a warning.
            let isWanted = showsResources || record.kind != .resources || record.priority.number < Priority.info.number
            if isWanted { record.printOnTerminal(hasColor: hasColor) }
        }
        recorder = Recorder(outbox: outbox, generation: GenerationNumber())
        lines = LineOutbox(onStall: { [recorder] isStalled in
            recorder.record(
                .error, isStalled ? .warning : .notice,
                isStalled
                    ? "the reader of standard output does not read: lines of stdout sinks wait"
                    : "the reader of standard output reads again")
        })
        reporter = ResourceReporter(config: config, recorder)
        reader = ConfigReader(config, hidingIn: secrets, recorder)
    }

    /// Runs until a signal or a failure stops it.
    ///
    /// - Returns: the exit code.
    func run() -> Int32 {
        defer { recorder.outbox.drain(within: StopSequence.lastRecordsWithin) }
        let signals: DaemonSignals
        do {
            signals = try DaemonSignals(commands)
        } catch {
            recorder.record(.error, .err, "\(error)")
            return ExitCode.failure
        }
        recorder.record(
            .lifecycle, .info, "rxwatchd \(version) is starting with \(reader.path)", [.phase: "starting"])
        let plan: Plan
        do {
            plan = try reader.read()
        } catch {
            recorder.record(.error, error)
            return ExitCode.badConfig
        }
        let directory = StateDirectory(recorder)
        let lock: DirectoryLock?
        do {
            lock = try directory.lock()
        } catch {
            recorder.record(.error, .err, "\(error)")
            return ExitCode.failure
        }
        defer { withExtendedLifetime(lock) {} }

        SubscriptionRecording.start(recorder)
        let check = ResourceCheck()
        Hooks.recordCallStackOnError = true
        Hooks.customCaptureSubscriptionCallstack = CallStack.current
        Hooks.defaultErrorHandler = { [recorder] stack, error in recorder.record(unhandled: error, stack) }
        let reason = runGenerations(startingWith: plan, signals, directory)
        DaemonSignals.exitOnNextStop()
        check.verify(after: reason, recorder)
        return reason.exitCode
    }

    private func runGenerations(
        startingWith plan: Plan, _ signals: DaemonSignals, _ directory: StateDirectory
    ) -> StopReason {
        let running = SerialDisposable()
        let root = DisposeBag(disposing: running)
        let watchdog = Watchdog()
        let taps = TapRegistry()
        let tapStreams = TapStreams(taps, reporter, hiding: secrets)
        let barriers = BarrierStreams()
        let settleWait = SettleWait(barriers, reporter)
        let spoolHandler = SpoolRequestHandler(reporter, recorder, hiding: secrets)
        let fireHandler = FireRequestHandler(taps, reporter, recorder, hiding: secrets)
        let preview = ReloadPreview(reader, reporter, hiding: secrets)
        let control = Control(
            reload: { [commands] in commands.reload($0) }, plan: { preview.reply($0) },
            status: { [reporter, secrets] in reporter.status(of: $0, columns: $1, hiding: secrets) },
            graph: { [reporter] in reporter.graph() }, resources: { [reporter] in reporter.counts(columns: $0) },
            fire: { fireHandler.reply(to: $0, timeout: $1, $2) },
            spool: { spoolHandler.reply(to: $0, $1) }, sync: { settleWait.begin(timeout: $0, $1) },
            tap: { tapStreams.begin($0, lifecycle: $1, $2) })
        signals.observe().disposed(by: root)
        if let interval = ServiceManager.watchdogInterval { watchdog.start(interval).disposed(by: root) }
        control.listen(recorder).disposed(by: root)
        // After the requests have ended.
        fireHandler.disposed(by: root)

        let snapshots = SnapshotHandover(in: directory, savingOn: reporter.scheduler)
        let handover = Handover(stateDirectory: directory.path, recorder)
        let host = Host(
            files: handover.watcher(recorder), spools: directory.spools(), batches: directory.batches(),
            memory: .ofDaemon, taps: taps, barriers: barriers)
        spoolHandler.use(host.spools)
        let page = PageListener(
            Page(reporter, taps, hiding: secrets), passed: handover.pageSocket, recorder)
        page.disposed(by: root)
        reporter.pageStatus.withLock { $0 = { [weak page] in page?.status } }
        let generations = GenerationRunner(
            commands: commands, host: host, recorder: recorder, lines: lines, secrets: secrets, reporter: reporter,
            watchdog: watchdog, handover: handover, snapshots: snapshots, page: page, running: running)
        host.files.handoverExtensions
            .debounce(.seconds(1), scheduler: SerialDispatchQueueScheduler(internalSerialQueueName: "rx.handover"))
            .subscribe(onNext: { generations.storeHandover() })
            .disposed(by: root)
        let stopSequence = StopSequence(
            host: host, recorder: recorder, lines: lines, reporter: reporter, handover: handover, snapshots: snapshots)
        let reports = ReloadReports(
            config: reader.path, recorder: recorder, secrets: secrets, started: started, reporter: reporter)
        return withExtendedLifetime((root, snapshots)) {
            ReloadLoop(commands, reader, generations, stopSequence, reports).run(startingWith: plan)
        }
    }
}
