import RxDiagnostics
import RxEngine
import Synchronization

/// The subscription of a pipeline's sinks to its node.
final class PipelineRun: Disposable {
    let node: Node
    private let retired: RetiredRuns
    let sinks: SinkSet
    private let subscription = SerialDisposable()
    /// The retired runs of this pipeline that have not finished.
    private let earlier: Locked<[PipelineRun]>
    /// Whether its sinks ignore further events.
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - node: the node of the pipeline.
    ///   - sinks: the sinks of the configuration.
    ///   - sinkNames: the names of the sinks.
    ///   - retired: the runs that are no longer part of a graph.
    ///   - context: the context of the pipeline's sinks.
    ///   - before: the run that this one replaces.
    init(
        _ node: Node, _ sinks: [PlannedSink], _ sinkNames: SinkNames, _ retired: RetiredRuns,
        _ context: SinkContext, inPlaceOf before: PipelineRun? = nil
    ) {
        self.node = node
        let earlier = retired.runs(of: context.pipeline)
        self.earlier = Locked(earlier)
        self.retired = retired
        var context = context
        context.account = node.account
        context.activity = node.activity
        context.client = node.component.arena.client
        self.sinks = node.account.charge { [context] in
            SinkSet(
                sinks, sinkNames, in: context, on: node.scheduler, inPlaceOf: before?.sinks,
                isSameNode: before?.node === node, after: earlier.map(\.sinks))
        }
    }

    var sinkKeys: [String] { sinks.keys }
    func endPauses(of sink: String) { sinks.endPauses(of: sink) }
    /// The events that wait in memory for a sink, or that it is working on.
    func unfinished(of sink: String) -> [PipelineEvent] { sinks.unfinished(of: sink) }

    /// Drops events that wait for a sink. See ``RunningSink/drop(_:_:)``.
    func drop(
        from sink: String, _ isMatching: @escaping @Sendable (String) -> Bool,
        _ done: @escaping @Sendable (DropResult) -> Void
    ) {
        sinks.drop(from: sink, isMatching, done)
    }

    /// The keys of the sinks that no other run has taken over.
    var ownSinkKeys: [String] { sinks.ownKeys }
    func queued(of sink: String) -> Int { sinks.queued(of: sink) }
    var sinkSummaries: [SinkSet.Summary] { sinks.summaries }
    var spooledSinkKeys: [String] { sinks.spooledKeys }
    /// The locations of each sink's templates in the configuration.
    var locationCells: [[SourceLocationCell]] { sinks.locationCells }
    /// The locations of the sinks that are carried over, and their locations in the new configuration.
    var moves: [(locationCells: [SourceLocationCell], others: [SourceLocationCell])] { sinks.moves }
    /// The account that the run's live objects are charged to.
    var account: Resources.Account { node.account }
    var scheduler: any SchedulerType { node.scheduler }

    /// Whether the new node and the new sinks are those of this run.
    func isSame(_ node: Node, _ sinks: [PlannedSink]) -> Bool {
        self.node === node && self.sinks.areSame(sinks)
    }

    /// Makes its sinks ignore further events. Called on the pipeline's scheduler.
    func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Starts the sinks and subscribes to the node. Called on the pipeline's scheduler.
    func start() {
        waitForEarlier()
        sinks.start {
            account.charge {
                subscription.disposable = node.events(in: node.component).subscribe(
                    onNext: { event in
                        if self.isClosed.load(ordering: .relaxed) || self.node.memory?.hasSeen(event) == true { return }
                        self.sinks.receive(event)
                    })
            }
        }
    }

    /// Holds back the sinks that a retired run still has under the same name until that run has finished.
    private func waitForEarlier() {
        let earlier = earlier.withLock { earlier in
            defer { earlier = [] }
            return earlier
        }
        guard sinks.holdReturning() else { return }
        let left = CompletionLatch(earlier.count) { [scheduler, sinks] in scheduler.perform { sinks.startReturning() } }
        for run in earlier { retired.whenFinished(run) { left.countDown() } }
    }

    /// The numbers of queued and dropped events of the sinks.
    var flow: Graph.Flow { sinks.flow }
    var dropped: Int { flow.dropped }

    /// Keeps every event that waits on disk there from now on.
    func freeze() {
        sinks.freeze()
    }

    /// Unsubscribes from the node, and calls `done` once: when the sinks have finished their events, or ``dispose()``
    /// has stopped them.
    func drain(_ done: @escaping @Sendable () -> Void) {
        drain(into: nil, done)
    }

    /// - Parameters:
    ///   - replacement: the run whose sinks replace those of this one.
    ///   - done: called once when the sinks have finished.
    private func drain(into replacement: PipelineRun?, _ done: @escaping @Sendable () -> Void) {
        subscription.dispose()
        // Scheduled, so that the event that is being processed comes first.
        scheduler.perform {
            self.sinks.drain(into: replacement.map { ($0.sinks, $0.scheduler) }, done)
        }
    }

    /// Starts in place of `other`. A changed sink starts when the sink that it replaces has finished its running work,
    /// see ``retire(within:into:_:)``; an unchanged one is carried over.
    func start(inPlaceOf other: PipelineRun) {
        sinks.takeOver(from: other.sinks)
        start()
        // No event goes to both: the node has not emitted any in between.
        if other.node === node { other.subscription.dispose() }
    }

    /// Adds this run to the retired ones: it is no longer part of the graph, but has not finished.
    func markRetired() {
        retired.add(self)
    }

    /// Drains the sinks, and stops when they have finished, or after `span`. Calls `done` once after that.
    func retire(
        within span: Duration, into replacement: PipelineRun? = nil, _ done: @escaping @Sendable () -> Void = {}
    ) {
        retired.add(self)
        let deadline = SingleAssignmentDisposable()
        drain(into: replacement) {
            deadline.dispose()
            self.dispose()
            done()
        }
        // Scheduled after the action that drains the sinks.
        deadline.setDisposable(
            scheduler.scheduleRelative((), dueTime: span.interval) {
                self.dispose()
                return Disposables.create()
            })
    }

    /// Stops at once: cancels the running work, and loses the waiting events.
    func dispose() {
        dispose(keepsEvents: false)
    }

    /// Stops at once.
    ///
    /// - Parameter keepsEvents: whether the unfinished events are kept for the next process.
    func dispose(keepsEvents: Bool) {
        subscription.dispose()
        sinks.dispose(keepsEvents: keepsEvents)
        retired.remove(self)
    }
}
