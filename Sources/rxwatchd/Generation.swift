import Dispatch
import RxEngine
import RxLinux
import RxPipelines

/// One reading of the config, running.
final class Generation: Disposable {
    /// How many readings there were, this one included.
    let number: Int
    let plan: Plan
    let graph: Graph
    private let subscriptions = CompositeDisposable()

    init(_ number: Int, _ plan: Plan, _ host: Host, records: RecordOutbox, lines: LineOutbox) {
        self.number = number
        self.plan = plan
        graph = Graph(
            plan, generation: number, host: host, records: records,
            printLine: { lines.put($0, generation: number) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: "rx.\($0)") })
    }

    /// Starts every pipeline, and calls `onArmed` when all sources are.
    func start(onArmed: @escaping @Sendable () -> Void) {
        _ = subscriptions.insert(graph.start(onArmed: onArmed))
    }

    /// Records the live counts now and then as often as the config says.
    func report(to reporter: ResourceReporter) {
        let period = plan.resourcesEvery.interval
        let reports = Observable<Int>.timer(.nanoseconds(0), period: period, scheduler: reporter.scheduler)
            .subscribe(onNext: { _ in reporter.report(self) })
        _ = subscriptions.insert(reports)
    }

    /// Stops every pipeline.
    func dispose() {
        subscriptions.dispose()
    }

    /// Stops every pipeline, and waits until each has let go of the event it was at, but not past `deadline`.
    func stop(by deadline: ContinuousClock.Instant) {
        dispose()
        let idle = DispatchSemaphore(value: 0)
        for scheduler in graph.schedulers {
            _ = scheduler.schedule(()) {
                idle.signal()
                return Disposables.create()
            }
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        for _ in graph.schedulers where idle.wait(timeout: end) == .timedOut { return }
    }
}

extension ContinuousClock.Instant {
    /// The time until then, none where it has passed.
    var timeLeft: Duration {
        max(.zero, self - .now)
    }
}
