import Glibc
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// The daemon's life, from its config to its exit code.
///
/// The main thread does what it is asked to, one command after the other; pipelines, reports and the watchdog run
/// beside it. Everything that lives hangs on one root bag: dropping it must bring the count of live resources back to
/// where it was before.
final class Daemon: Sendable {
    private let config: String
    private let commands = Commands()
    private let records: RecordOutbox
    private let lines: LineOutbox
    private let watchdog = Watchdog()
    private let stopSignals = Atomic(0)
    private let generationNumber = GenerationNumber()
    private let reporter: ResourceReporter
    private let succession = Succession()
    private let secrets = HiddenSecrets()
    /// The expressions of the config that is running: those that stay the same are not compiled again.
    private let expressions: JQLibrary

    /// How long it may take until everything that was stopped is gone. A command that does not end when it is told to is
    /// killed by then.
    private static let verifyWithin = RxLinux.Command.usualGrace + .seconds(1)
    /// How long the last records may take.
    private static let leaveWithin = Duration.seconds(1)

    init(config: String) {
        self.config = config
        records = RecordOutbox(hiding: secrets)
        lines = LineOutbox(records: records)
        expressions = JQLibrary { [records, generationNumber] slow in
            records.write(slow.record(generation: generationNumber.value))
        }
        reporter = ResourceReporter(config: config, records: records, lines: lines)
    }

    /// Lives until a signal ends it.
    ///
    /// - Returns: the exit code.
    func run() -> Int32 {
        let started = ContinuousClock.now
        do {
            try Signals.block([SIGTERM, SIGINT, SIGHUP])
        } catch {
            tell(.error, .err, "\(error)")
            return leave(ExitCode.failure)
        }
        tell(.lifecycle, .info, "rxwatchd \(version) is starting with \(config)", [.phase: "starting"])
        let plan: Plan
        do {
            plan = try load()
        } catch {
            tell(.error, error)
            return leave(ExitCode.badConfig)
        }

        let baseline = Resources.total
        Hooks.recordCallStackOnError = true
        Hooks.customCaptureSubscriptionCallstack = CallStack.current
        Hooks.defaultErrorHandler = { stack, error in self.report(error, stack) }
        let ending = live(with: plan, since: started)
        obeyNextStopAtOnce()
        verify(baseline, after: ending)
        return leave(ending.exitCode)
    }

    /// Has everything that lives hang on one bag, and drops it when it is time to stop.
    private func live(with plan: Plan, since started: ContinuousClock.Instant) -> Ending {
        let running = SerialDisposable()
        let root = DisposeBag(disposing: running)
        Signals.observe([SIGTERM, SIGINT, SIGHUP], on: .init(label: "rx.signals"))
            .subscribe(onNext: { self.receive($0) }, onError: { self.commands.send(.fail("\($0)")) })
            .disposed(by: root)
        if let interval = ServiceManager.watchdogInterval { watchdog.start(interval).disposed(by: root) }
        if let path = Control.path { listen(at: path).disposed(by: root) }
        let store = openStore()
        let saver = store.map { store in
            SnapshotSaver(store, on: reporter.scheduler) { self.tellOfStore($0) }
        }
        return withExtendedLifetime((root, store)) {
            obey(startingWith: plan, host(), store, saver, since: started, running)
        }
    }

    /// Runs generation after generation in `running` until it is time to stop.
    ///
    /// - Returns: why it was.
    private func obey(
        startingWith plan: Plan, _ host: Host, _ store: SnapshotStore?, _ saver: SnapshotSaver?,
        since started: ContinuousClock.Instant, _ running: SerialDisposable
    ) -> Ending {
        var current: Generation?
        var next: Generation? = start(plan, 1, host, resuming: left(in: store), store, saver)
        // Those who wait for the next to be armed.
        var waiting: [Commands.Reply] = []
        func answer(_ answer: ControlAnswer) {
            let shown = ControlAnswer(
                secrets.hidden(in: answer.message), exitCode: answer.exitCode, details: answer.details)
            for reply in waiting { reply(shown) }
            waiting = []
        }
        while true {
            switch commands.next() {
            case .armed(let number, let failures):
                guard let armed = next, armed.number == number else { continue }
                if current != nil, !failures.isEmpty {
                    answer(refuse(armed, failures))
                    next = nil
                    continue
                }
                let old = current
                (current, next) = (armed, nil)
                generationNumber.value = number
                reporter.show(armed)
                if let old { armed.replace(old, reporter) }
                watchdog.watch(armed.graph.schedulers)
                running.disposable = armed
                recordAbandonedSpools(host.spools, armed.graph)
                saver?.show(armed.graph)
                try? ServiceManager.tell(.ready, .status(reporter.status(armed)))
                if old == nil {
                    attempt("keeping what is watched for the next process") { try self.succession.keep(host.files) }
                    let time = (ContinuousClock.now - started).formatted
                    tell(.lifecycle, .info, "ready after \(time): \(armed.plan.summary)", [.phase: "ready"])
                } else {
                    tell(.reload, .notice, "reloaded \(config): \(armed.plan.summary)")
                    answer(ControlAnswer("reloaded \(config): \(armed.plan.summary)"))
                }
                ResidentMemory.release()
                armed.report(to: reporter)
            case .reload:
                let asking = commands.takeReplies()
                let plan: Plan
                do {
                    plan = try reread(isReady: current != nil)
                } catch {
                    // Those who have asked before wait for what was good then.
                    let before = waiting
                    waiting = asking
                    answer(ControlAnswer(badConfig: error))
                    waiting = before
                    continue
                }
                waiting += asking
                // The first generation is running, with what the previous process left.
                let left = current == nil ? next?.abandon() : nil
                next?.dispose()
                next = start(
                    plan, (next ?? current).map { $0.number + 1 } ?? 1, host, replacing: current, resuming: left, store,
                    saver)
            case .stop(let signal):
                waiting += commands.takeReplies()
                answer(ControlAnswer("stopping on \(Ending.signal(signal))", exitCode: ExitCode.failure))
                end(.signal(signal), host, store, saver, next, current)
                return .signal(signal)
            case .fail(let reason):
                waiting += commands.takeReplies()
                answer(ControlAnswer(reason, exitCode: ExitCode.failure))
                end(.failure(reason), host, store, saver, next, current)
                return .failure(reason)
            }
        }
    }

    /// Stops what is running, and lets sinks finish their work for as long as the config allows, all in all.
    private func end(
        _ ending: Ending, _ host: Host, _ store: SnapshotStore?, _ saver: SnapshotSaver?, _ next: Generation?,
        _ current: Generation?
    ) {
        // A generation that is being armed has delivered nothing.
        if current != nil { next?.dispose() }
        let running = current ?? next
        let drain = running?.plan.drainWithin ?? .zero
        let deadline = ContinuousClock.now + drain
        // All that may follow, and a second for what is not measured.
        let rest = drain + Self.verifyWithin + Self.leaveWithin + .seconds(1)
        try? ServiceManager.tell(.stopping, .extendTimeout(rest))
        tell(.lifecycle, ending.priority, "stopping on \(ending)", [.phase: "stopping"])
        reporter.forget()
        attempt("saving what is watched") { try self.succession.leave(host.files) }
        let left = running?.stop(by: deadline, reporter) ?? Snapshot()
        saver?.stop()
        keep(left, in: store)
        lines.drain(within: deadline.timeLeft)
        records.drain(within: deadline.timeLeft)
    }

    private func start(
        _ plan: Plan, _ number: Int, _ host: Host, replacing previous: Generation? = nil,
        resuming snapshot: Snapshot?, _ store: SnapshotStore?, _ saver: SnapshotSaver?
    ) -> Generation {
        let running: @Sendable () -> Int = { self.generationNumber.value }
        let graph = Graph(
            plan, replacing: previous?.graph, generation: running, host: host, records: records,
            printLine: { self.lines.put(self.secrets.hidden(in: $0), generation: running(), $1) },
            resuming: redelivering(snapshot ?? Snapshot(), to: plan), onProgress: { store?.note($0) },
            onChange: saver.map { saver in { @Sendable change in saver.changed(change) } },
            onExit: { self.commands.send(.fail($0)) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: "rx.\($0)") })
        graph.start { failures in self.commands.send(.armed(number, failures: failures.map(\.description))) }
        if previous == nil { saver?.show(graph) }
        return Generation(number, plan, graph)
    }

    /// The host, with the files that the process before has watched.
    private func host() -> Host {
        var before: FileHandover?
        attempt("taking over what was watched") { before = try self.succession.predecessor() }
        return Host(files: FileWatcher(resuming: before), spools: openSpools())
    }

    /// Does what the daemon can do without, and says so where it fails.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            tell(.error, .warning, "\(what) failed: \(error)", [.error: "\(error)", .errorType: "\(type(of: error))"])
        }
    }

    /// Gives up a config whose sources cannot all be armed: what is running goes on.
    private func refuse(_ generation: Generation, _ failures: [String]) -> ControlAnswer {
        generation.dispose()
        let reason = failures.joined(separator: "; ")
        let message = "\(config) was not taken over: \(reason)"
        tell(.reload, .err, message, [.error: reason, .errorType: "ArmingFailure"])
        try? ServiceManager.tell(.ready)
        return ControlAnswer(message, exitCode: ExitCode.failure)
    }

    /// Reads the config again. A bad one changes nothing.
    ///
    /// - Parameter isReady: whether one is running: before, the service manager waits for that.
    private func reread(isReady: Bool) throws(Diagnostics) -> Plan {
        try? ServiceManager.tell(.reloading)
        do {
            return try load()
        } catch {
            tell(.reload, error)
            if isReady { try? ServiceManager.tell(.ready) }
            throw error
        }
    }

    /// Reads the config, whose credentials nobody gets to see from now on.
    private func load() throws(Diagnostics) -> Plan {
        let loaded = try LoadedConfig(config, .ofProcess, expressions)
        secrets.hide(loaded.secrets)
        return loaded.plan
    }

    /// Answers operators, until disposed. Where that cannot be done the daemon does its work all the same.
    private func listen(at path: String) -> any Disposable {
        let control = Control(reload: { self.commands.reload($0) }, status: { self.reporter.answer() })
        return LocalServer.requests(at: path, on: .init(label: "rx.control"))
            .subscribe(
                onNext: { control.answer($0) },
                onError: { self.tell(.error, .err, "\($0); rxwatchctl cannot reach this daemon") })
    }

    /// A signal has arrived. The second that asks for a stop is obeyed at once.
    private func receive(_ signal: Int32) {
        if signal == SIGHUP { return commands.send(.reload) }
        if stopSignals.add(1, ordering: .relaxed).oldValue > 0 { _exit(ExitCode.failure) }
        commands.send(.stop(signal))
    }

    /// Nobody reads signals any more: has the next that asks for a stop end the process, as a second one always does.
    private func obeyNextStopAtOnce() {
        let signals = [SIGTERM, SIGINT]
        for number in signals { signal(number) { _ in _exit(ExitCode.failure) } }
        try? Signals.unblock(signals)
    }

    /// Checks that everything is gone, and says so. Where nothing is counted, there is nothing to check.
    private func verify(_ baseline: Int32, after ending: Ending) {
        guard Resources.isTraced else {
            return tell(.lifecycle, .notice, "stopped on \(ending)", [.phase: "stopped"])
        }
        let deadline = ContinuousClock.now + Self.verifyWithin
        while Resources.total != baseline, ContinuousClock.now < deadline { poll(nil, 0, 1) }
        let total = Resources.total
        let isClean = total == baseline
        tell(
            .lifecycle, isClean ? .notice : .err,
            "stopped on \(ending): \(total) live resources, "
                + (isClean ? "as before the start" : "\(baseline) before the start: something leaked"),
            [.phase: "stopped", .total: String(total), .baseline: String(baseline)])
    }

    private func leave(_ code: Int32) -> Int32 {
        records.drain(within: Self.leaveWithin)
        return code
    }

    private func report(_ error: any Error, _ callStack: [String]) {
        let error = error as? PipelineError ?? PipelineError(unhandled: error)
        records.write(error.record(generation: generationNumber.value, callStack: callStack))
    }

    private func tell(_ kind: RecordKind, _ diagnostics: Diagnostics) {
        let generation = generationNumber.value
        for record in Record.problems(kind, diagnostics, generation: generation) { records.write(record) }
    }

    func tell(
        _ kind: RecordKind, _ priority: Priority, _ message: String,
        _ fields: KeyValuePairs<RecordField, String?> = [:]
    ) {
        records.write(
            Record(kind, priority, generation: generationNumber.value, message, fields))
    }
}

extension Duration {
    /// The span in milliseconds, for people.
    fileprivate var formatted: String {
        "\(Double(Int(self / .microseconds(100))) / 10) ms"
    }
}
