import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines

/// The running pipelines of one reading of the configuration.
final class Generation: Disposable {
    /// Larger than that of each generation before.
    let number: Int
    let plan: Plan
    let graph: Graph
    private let reports = SerialDisposable()

    init(_ number: Int, _ plan: Plan, _ graph: Graph) {
        self.number = number
        self.plan = plan
        self.graph = graph
    }

    /// Starts the nodes that are new, stops those that only the previous generation has, and reports this generation from
    /// then on.
    func replace(_ previous: Generation, _ reporter: ResourceReporter) {
        previous.reports.dispose()
        let replaced = DispatchSemaphore(value: 0)
        graph.replace(previous.graph, drain: previous.plan.drainWithin) { replaced.signal() }
        // Not before: only now does the graph count the unsettled events of the sources that it has stopped.
        reporter.show(self)
        // A pipeline that hangs must not delay the reload of the others. The watchdog ends it.
        _ = replaced.wait(timeout: .now() + previous.plan.drainWithin.interval)
        reporter.expectNothing(
            of: previous.graph.retired(by: graph), after: previous.plan.drainWithin,
            unless: graph.isReplacing)
    }

    /// Records the numbers of live objects now, and then as often as the configuration says.
    func report(to reporter: ResourceReporter) {
        let period = plan.resourcesEvery.interval
        reports.disposable = Observable<Int>.timer(.nanoseconds(0), period: period, scheduler: reporter.scheduler)
            .subscribe(onNext: { _ in reporter.report(self) })
    }

    /// The time in which components must capture their parts of a snapshot.
    private static let captureWithin = Duration.seconds(1)

    /// Captures the last snapshot. If a component has not captured its part by `deadline`, because it hangs, the whole
    /// snapshot is taken on this thread instead.
    private func capture(by deadline: SuspendingClock.Instant) -> Snapshot {
        let parts = Locked<[Int: Snapshot]>([:])
        let done = DispatchSemaphore(value: 0)
        graph.capture(isLast: true) { number, part in
            parts.withLock { $0[number] = part }
            done.signal()
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        let isComplete = (0..<graph.partCount).allSatisfy { _ in done.wait(timeout: end) == .success }
        return isComplete
            ? parts.withLock { $0.values }.reduce(into: Snapshot()) { $0.add($1) } : graph.snapshot
    }

    /// Stops every pipeline.
    func dispose() {
        reports.dispose()
        graph.dispose()
    }

    /// Accepts no more events, waits until steps and sinks have finished those in flight, and stops them, all by
    /// `deadline`. A report that is being written is finished, too.
    ///
    /// - Returns: the snapshot for the next process.
    func stop(by deadline: SuspendingClock.Instant, _ reporter: ResourceReporter) -> Snapshot {
        reports.dispose()
        graph.close()
        let captured = max(deadline, .now + Self.captureWithin)
        waitForRest(by: deadline, captured)
        graph.freeze()
        // Before the drain, which ends the runs of the steps.
        var left = capture(by: captured)
        let drained = DispatchSemaphore(value: 0)
        graph.drain { drained.signal() }
        _ = drained.wait(timeout: .now() + deadline.timeLeft.interval)
        dispose()
        // A batch that is being written is not cancelled.
        if deadline.timeLeft == .zero { _ = drained.wait(timeout: .now() + Self.captureWithin.interval) }
        left.takeProgress(of: graph.unsettled)
        // In this action each scheduler releases the event that it was processing.
        for watched in graph.watchedSchedulers { Self.listUntilIdle(watched) }
        _ = waitForActions(on: graph.schedulers + [reporter.scheduler], by: deadline)
        return left
    }

    /// Waits until steps and sinks have finished all events except for those that wait for timers, by `deadline`.
    /// Changes that sources have found and events that sinks have failed on take some scheduled actions to arrive: these are
    /// awaited in any case, by `limit`, until an action on every scheduler changes nothing.
    private func waitForRest(by deadline: SuspendingClock.Instant, _ limit: SuspendingClock.Instant) {
        var before: Int?
        while waitForActions(on: graph.schedulers, by: limit) {
            let version = graph.version
            let isOver = graph.isAtRest || deadline.timeLeft == .zero
            if isOver, before == version { return }
            before = isOver ? version : nil
            if !isOver { poll(nil, 0, 2) }
        }
    }

    /// Lists a component as work that blocks, until its scheduler runs an action: an expression may still be evaluated.
    private static func listUntilIdle(_ watched: WatchedScheduler) {
        let end = BlockingCalls.begin("processing events in \(watched.names.joined(separator: ", "))")
        _ = watched.scheduler.schedule(()) {
            end()
            return Disposables.create()
        }
    }

    /// Waits until each scheduler has performed what was scheduled before.
    ///
    /// - Returns: whether all did so by the deadline.
    private func waitForActions(on schedulers: [any SchedulerType], by deadline: SuspendingClock.Instant) -> Bool {
        let done = DispatchSemaphore(value: 0)
        for scheduler in schedulers {
            _ = scheduler.schedule(()) {
                done.signal()
                return Disposables.create()
            }
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        return schedulers.allSatisfy { _ in done.wait(timeout: end) == .success }
    }
}

extension SuspendingClock.Instant {
    /// The time until this moment; zero if it has passed.
    var timeLeft: Duration {
        max(.zero, self - .now)
    }
}
