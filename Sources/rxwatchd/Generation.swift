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
    private let reports = SerialDisposable()

    init(_ number: Int, _ plan: Plan, _ graph: Graph) {
        self.number = number
        self.plan = plan
        self.graph = graph
    }

    /// Takes the place of the generation before.
    func replace(_ previous: Generation, _ reporter: ResourceReporter) {
        previous.reports.dispose()
        let replaced = DispatchSemaphore(value: 0)
        graph.replace(previous.graph, drain: previous.plan.drainWithin) { replaced.signal() }
        // A pipeline that hangs must not hold up the others' reload: the watchdog sees to it.
        _ = replaced.wait(timeout: .now() + previous.plan.drainWithin.interval)
        reporter.expectNothing(of: previous.graph.retired(by: graph), after: previous.plan.drainWithin)
    }

    /// Records the live counts now and then as often as the config says.
    func report(to reporter: ResourceReporter) {
        let period = plan.resourcesEvery.interval
        reports.disposable = Observable<Int>.timer(.nanoseconds(0), period: period, scheduler: reporter.scheduler)
            .subscribe(onNext: { _ in reporter.report(self) })
    }

    /// Stops every pipeline.
    func dispose() {
        reports.dispose()
        graph.dispose()
    }

    /// Lets no pipeline get more events, waits until their sinks have finished with those that came, and stops them; all
    /// that by `deadline`. A report that is being made has been made then, too.
    func stop(by deadline: ContinuousClock.Instant, _ reporter: ResourceReporter) {
        reports.dispose()
        let drained = DispatchSemaphore(value: 0)
        graph.drain { drained.signal() }
        _ = drained.wait(timeout: .now() + deadline.timeLeft.interval)
        dispose()
        // Each lets go of the event it was at.
        let idle = DispatchSemaphore(value: 0)
        let schedulers = graph.schedulers + [reporter.scheduler]
        for scheduler in schedulers {
            _ = scheduler.schedule(()) {
                idle.signal()
                return Disposables.create()
            }
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        for _ in schedulers where idle.wait(timeout: end) == .timedOut { return }
    }
}

extension ContinuousClock.Instant {
    /// The time until then, none where it has passed.
    var timeLeft: Duration {
        max(.zero, self - .now)
    }
}
