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
    private let records = RecordOutbox()
    private let lines = Outbox<String>("rx.stdout", capacity: 10_000) { StandardStream.output.print($0) }
    private let watchdog = Watchdog()
    private let stopSignals = Atomic(0)
    /// The number of the generation that is running, for records from anywhere.
    private let generationNumber = Atomic(1)

    init(config: String) {
        self.config = config
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
            return leave(Program.ExitCode.failure)
        }
        tell(.lifecycle, .info, "rxwatchd \(version) is starting with \(config)", [.phase: "starting"])
        let plan: Plan
        do {
            plan = try Plan.load(config)
        } catch {
            for problem in error.separated { tell(.error, .err, "\(problem)", [.errorType: "Diagnostic"]) }
            return leave(Program.ExitCode.badConfig)
        }

        let baseline = Resources.total
        Hooks.defaultErrorHandler = { stack, error in self.report(error, stack) }
        let ending = live(with: plan, since: started)
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
        return withExtendedLifetime(root) { obey(startingWith: plan, since: started, running) }
    }

    /// Runs generation after generation in `running` until it is time to stop.
    ///
    /// - Returns: why it was.
    private func obey(
        startingWith plan: Plan, since started: ContinuousClock.Instant, _ running: SerialDisposable
    ) -> Ending {
        let reporter = ResourceReporter(records: records, lines: lines)
        var current: Generation?
        var next: Generation? = start(plan, 1)
        while true {
            switch commands.next() {
            case .armed(let number):
                guard let armed = next, armed.number == number else { continue }
                let old = current
                (current, next) = (armed, nil)
                generationNumber.store(number, ordering: .relaxed)
                watchdog.watch(armed.graph.schedulers)
                running.disposable = armed
                old?.stop(within: armed.plan.drainWithin)
                try? ServiceManager.tell(.ready, .status(reporter.status(armed)))
                if old == nil {
                    let time = (ContinuousClock.now - started).formatted
                    tell(.lifecycle, .info, "ready after \(time): \(armed.plan.summary)", [.phase: "ready"])
                } else {
                    tell(.reload, .notice, "reloaded \(config): \(armed.plan.summary)")
                }
                armed.report(to: reporter)
            case .reload:
                guard let plan = reread() else { continue }
                next?.stop(within: .zero)
                next = start(plan, (next ?? current).map { $0.number + 1 } ?? 1)
            case .stop(let signal):
                end(.signal(signal), next, current)
                return .signal(signal)
            case .fail(let reason):
                end(.failure(reason), next, current)
                return .failure(reason)
            }
        }
    }

    /// Stops what is running, and lets sinks finish their work for as long as the config allows.
    private func end(_ ending: Ending, _ generations: Generation?...) {
        let running = generations.compactMap(\.self)
        let drain = running.last?.plan.drainWithin ?? .zero
        try? ServiceManager.tell(.stopping, .extendTimeout(drain + .seconds(2)))
        tell(.lifecycle, ending.priority, "stopping on \(ending)", [.phase: "stopping"])
        for generation in running { generation.stop(within: drain) }
        _ = lines.drain(within: drain)
        records.drain(within: drain)
    }

    private func start(_ plan: Plan, _ number: Int) -> Generation {
        let generation = Generation(number, plan, records: records, lines: lines)
        generation.start { self.commands.send(.armed(number)) }
        return generation
    }

    /// Reads the config again. A bad one changes nothing.
    private func reread() -> Plan? {
        try? ServiceManager.tell(.reloading)
        do {
            return try Plan.load(config)
        } catch {
            for problem in error.separated { tell(.reload, .err, "\(problem)") }
            try? ServiceManager.tell(.ready)
            return nil
        }
    }

    /// A signal has arrived. The second that asks for a stop is obeyed at once.
    private func receive(_ signal: Int32) {
        if signal == SIGHUP { return commands.send(.reload) }
        if stopSignals.add(1, ordering: .relaxed).oldValue > 0 { _exit(Program.ExitCode.failure) }
        commands.send(.stop(signal))
    }

    /// Checks that everything is gone, and says so.
    private func verify(_ baseline: Int32, after ending: Ending) {
        let deadline = ContinuousClock.now + .seconds(1)
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
        records.drain(within: .seconds(1))
        return code
    }

    private func report(_ error: any Error, _ callStack: [String]) {
        let error = error as? PipelineError ?? PipelineError(unhandled: error)
        records.write(error.record(generation: generationNumber.load(ordering: .relaxed), callStack: callStack))
    }

    private func tell(
        _ kind: RecordKind, _ priority: Priority, _ message: String,
        _ fields: KeyValuePairs<RecordField, String?> = [:]
    ) {
        records.write(
            Record(kind, priority, generation: generationNumber.load(ordering: .relaxed), message, fields))
    }
}

extension Duration {
    /// The span in milliseconds, for people.
    fileprivate var formatted: String {
        "\(Double(Int(self / .microseconds(100))) / 10) ms"
    }
}
