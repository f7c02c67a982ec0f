import RxDiagnostics
import RxEngine
import Synchronization

/// A pipeline that is running into its sinks.
final class PipelineRun: Disposable {
    let node: Node
    private let retired: RetiredRuns
    private let sinks: RunningSinks
    private let context: SinkContext
    private let subscription = SerialDisposable()
    /// The runs of this pipeline that earlier configs had, and that have not finished.
    private let earlier: Locked<[PipelineRun]>
    /// Whether its sinks take no more events.
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - sinks: the sinks of the config, and their names.
    ///   - before: the run that this one replaces.
    init(
        _ node: Node, _ sinks: [PlannedSink], _ allotment: SinkAllotment, _ retired: RetiredRuns,
        _ context: SinkContext, inPlaceOf before: PipelineRun? = nil
    ) {
        self.node = node
        let earlier = retired.runs(of: context.pipeline)
        self.earlier = Locked(earlier)
        self.retired = retired
        var context = context
        context.account = node.account
        self.context = context
        self.sinks = node.account.charge { [context] in
            RunningSinks(
                sinks, allotment, in: context, on: node.scheduler, inPlaceOf: before?.sinks,
                isSameNode: before?.node === node, after: earlier.map(\.sinks))
        }
    }

    var sinkKeys: [String] { sinks.keys }
    var spooledSinkKeys: [String] { sinks.spooledKeys }
    /// Where each sink's templates stand in the config.
    var places: [[SourceLocationCell]] { sinks.places }
    /// The places of the sinks that are carried over, and where the new config has them.
    var moves: [(places: [SourceLocationCell], others: [SourceLocationCell])] { sinks.moves }
    /// What the run's live objects are charged to.
    var account: Resources.Account { node.account }
    var scheduler: any SchedulerType { node.scheduler }

    /// Whether what the config says now makes the same run.
    func isSame(_ node: Node, _ sinks: [PlannedSink]) -> Bool {
        self.node === node && self.sinks.areSame(sinks)
    }

    /// Its sinks take no more events. Called on the pipeline's scheduler.
    func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Called on the pipeline's scheduler.
    func start() {
        waitForEarlier()
        sinks.start {
            account.charge {
                subscription.disposable = node.events(in: node.component).subscribe(
                    onNext: { event in
                        if self.isClosed.load(ordering: .relaxed) || self.node.memory?.hasSeen(event) == true { return }
                        self.sinks.take(event)
                    }, onCompleted: { self.ended() })
            }
        }
    }

    /// Holds back the sinks that an earlier config had, too, while those finish what they have.
    private func waitForEarlier() {
        let earlier = earlier.withLock { earlier in
            defer { earlier = [] }
            return earlier
        }
        guard sinks.holdReturning() else { return }
        let left = Countdown(earlier.count) { [scheduler, sinks] in scheduler.perform { sinks.startReturning() } }
        for run in earlier { retired.whenGone(run) { left.count() } }
    }

    /// How many events wait in the sinks, or are being worked on, and how many they have dropped so far.
    var flow: Graph.Flow { sinks.flow }
    var dropped: Int { flow.dropped }

    /// Keeps what waits on disk from now on.
    func freeze() {
        sinks.freeze()
    }

    /// Lets no more events come, and calls `done` once: when the sinks have finished with those that came, or were made
    /// to give up by ``dispose()``.
    func drain(_ done: @escaping @Sendable () -> Void) {
        drain(into: nil, done)
    }

    /// - Parameter successor: the run whose sinks replace those of this one.
    private func drain(into successor: PipelineRun?, _ done: @escaping @Sendable () -> Void) {
        subscription.dispose()
        // Behind the event that is being taken.
        scheduler.perform {
            self.sinks.drain(into: successor.map { ($0.sinks, $0.scheduler) }, done)
        }
    }

    /// Starts in place of `other`: a sink that has changed starts when the one that it replaces has finished its
    /// running work, see ``retire(within:into:_:)``, and one that has not goes on.
    func start(inPlaceOf other: PipelineRun) {
        sinks.takeOver(from: other.sinks)
        start()
        // No event goes to both: the node has not emitted any in between.
        if other.node === node { other.subscription.dispose() }
    }

    /// This is no longer part of the graph, but goes on for now.
    func leave() {
        retired.leaves(self)
    }

    /// Stops when the sinks have finished with what came, but after `span` at the latest, and calls `done` once when it
    /// has.
    func retire(
        within span: Duration, into successor: PipelineRun? = nil, _ done: @escaping @Sendable () -> Void = {}
    ) {
        retired.leaves(self)
        let deadline = SingleAssignmentDisposable()
        drain(into: successor) {
            deadline.dispose()
            self.dispose()
            done()
        }
        // After the turn that drains the sinks.
        deadline.setDisposable(
            scheduler.scheduleRelative((), dueTime: span.interval) {
                self.dispose()
                return Disposables.create()
            })
    }

    /// Stops at once: commands are ended, and what waits is given up.
    func dispose() {
        dispose(keepsEvents: false)
    }

    /// - Parameter keepsEvents: whether what waits is kept for the next process.
    func dispose(keepsEvents: Bool) {
        subscription.dispose()
        sinks.dispose(keepsEvents: keepsEvents)
        retired.isGone(self)
    }

    private func ended() {
        context.records.write(
            Record(
                .source, .notice, generation: context.generation,
                "\(context.pipeline) has completed: it emits no more events",
                [.pipeline: context.pipeline]))
    }
}
