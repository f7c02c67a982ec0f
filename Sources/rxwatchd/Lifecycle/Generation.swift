import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines

/// The running pipelines of one reading of the config.
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

    /// Starts what is new and stops what only the generation before has.
    func replace(_ previous: Generation, _ reporter: ResourceReporter) {
        previous.reports.dispose()
        let replaced = DispatchSemaphore(value: 0)
        graph.replace(previous.graph, drain: previous.plan.drainWithin) { replaced.signal() }
        // A pipeline that hangs must not delay the reload of the others: the watchdog handles it.
        _ = replaced.wait(timeout: .now() + previous.plan.drainWithin.interval)
        reporter.expectNothing(
            of: previous.graph.retired(by: graph), after: previous.plan.drainWithin,
            unless: graph.isReplacing)
    }

    /// Records the live counts now, and then as often as the config says.
    func report(to reporter: ResourceReporter) {
        let period = plan.resourcesEvery.interval
        reports.disposable = Observable<Int>.timer(.nanoseconds(0), period: period, scheduler: reporter.scheduler)
            .subscribe(onNext: { _ in reporter.report(self) })
    }

    /// How long components may take to capture their parts of a snapshot.
    private static let captureWithin = Duration.seconds(1)

    /// Captures the last snapshot. If a component hangs and has not captured its part by `deadline`, the snapshot is
    /// taken at once.
    private func capture(by deadline: ContinuousClock.Instant) -> Snapshot {
        let parts = Locked<[Int: Snapshot]>([:])
        let turns = DispatchSemaphore(value: 0)
        graph.capture(isLast: true) { number, part in
            parts.withLock { $0[number] = part }
            turns.signal()
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        let isComplete = (0..<graph.partCount).allSatisfy { _ in turns.wait(timeout: end) == .success }
        return isComplete
            ? parts.withLock { $0.values }.reduce(into: Snapshot()) { $0.add($1) } : graph.snapshot
    }

    /// Stops every pipeline.
    func dispose() {
        reports.dispose()
        graph.dispose()
    }

    /// Accepts no more events, waits until steps and sinks have finished those that came, and stops them; all that by
    /// `deadline`. A report that is being written is finished, too.
    ///
    /// - Returns: what is left to the next process.
    func stop(by deadline: ContinuousClock.Instant, _ reporter: ResourceReporter) -> Snapshot {
        reports.dispose()
        graph.close()
        let captured = max(deadline, .now + Self.captureWithin)
        waitForRest(by: deadline, captured)
        graph.freeze()
        // Before the drain ends the runs of the steps.
        var left = capture(by: captured)
        let drained = DispatchSemaphore(value: 0)
        graph.drain { drained.signal() }
        _ = drained.wait(timeout: .now() + deadline.timeLeft.interval)
        dispose()
        // A batch that is being written is not cancelled.
        if deadline.timeLeft == .zero { _ = drained.wait(timeout: .now() + Self.captureWithin.interval) }
        left.takeProgress(of: graph.unsettled)
        // Each releases the event that it was processing.
        _ = waitForTurns(on: graph.schedulers + [reporter.scheduler], by: deadline)
        return left
    }

    /// Waits until steps and sinks have finished all events but those that wait for timers, by `deadline`; and in any
    /// case, by `limit`, for what sources had found and sinks had failed on, which takes some turns to arrive: until a
    /// round of turns changes nothing.
    private func waitForRest(by deadline: ContinuousClock.Instant, _ limit: ContinuousClock.Instant) {
        var before: Int?
        while waitForTurns(on: graph.schedulers, by: limit) {
            let version = graph.version
            let isOver = graph.isAtRest || deadline.timeLeft == .zero
            if isOver, before == version { return }
            before = isOver ? version : nil
            if !isOver { poll(nil, 0, 2) }
        }
    }

    /// Waits until each scheduler has performed what was scheduled before.
    ///
    /// - Returns: whether it was in time.
    private func waitForTurns(on schedulers: [any SchedulerType], by deadline: ContinuousClock.Instant) -> Bool {
        let turns = DispatchSemaphore(value: 0)
        for scheduler in schedulers {
            _ = scheduler.schedule(()) {
                turns.signal()
                return Disposables.create()
            }
        }
        let end = DispatchTime.now() + deadline.timeLeft.interval
        return schedulers.allSatisfy { _ in turns.wait(timeout: end) == .success }
    }
}

extension ContinuousClock.Instant {
    /// The time until then, none where it has passed.
    var timeLeft: Duration {
        max(.zero, self - .now)
    }
}
