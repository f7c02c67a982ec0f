import RxDiagnostics
import RxEngine
import Synchronization

/// A pipeline that is running into its sinks.
final class PipelineRun: Disposable {
    let node: Node
    /// What the config says of the sinks.
    private let content: String
    /// Where the sinks' templates stand in the config.
    let places: [SourceLocationCell]
    private let departed: Departed
    private let sinks: [RunningSink]
    private let surroundings: SinkSurroundings
    private let subscription = SerialDisposable()
    /// Whether its sinks take no more events.
    private let isClosed = Atomic(false)

    init(
        _ node: Node, _ content: String, _ sinks: [(name: String, kind: any SinkKind)], _ places: [SourceLocationCell],
        _ departed: Departed, _ surroundings: SinkSurroundings, inPlaceOf before: PipelineRun? = nil
    ) {
        self.node = node
        self.content = content
        self.places = places
        self.departed = departed
        self.surroundings = surroundings
        let account = node.account
        self.sinks = account.charge {
            zip(sinks, Self.keys(of: sinks.map(\.name), in: surroundings.pipeline)).map { sink, key in
                var surroundings = surroundings
                surroundings.sink = sink.name
                surroundings.key = key
                surroundings.account = account
                return RunningSink(
                    sink.kind, in: surroundings, on: node.scheduler,
                    inPlaceOf: before?.sinks.first { $0.key == key })
            }
        }
    }

    /// The keys of sinks of these kinds: the name of the kind, numbered if there are several.
    private static func keys(of names: [String], in pipeline: String) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            let count = counts[name, default: 1]
            return "\(pipeline)/\(name)" + (count == 1 ? "" : "-\(count)")
        }
    }

    var sinkKeys: [String] { sinks.map(\.key) }
    /// What the run's live objects are charged to.
    var account: Resources.Account { node.account }
    var scheduler: any SchedulerType { node.scheduler }

    /// Whether what the config says now makes the same run.
    func isSame(_ node: Node, _ content: String) -> Bool {
        self.node === node && self.content == content
    }

    /// Its sinks take no more events. Called on the pipeline's scheduler.
    func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Called on the pipeline's scheduler.
    func start() {
        for sink in sinks { sink.startIfNotHeld() }
        account.charge {
            subscription.disposable = node.events(in: node.component).subscribe(
                onNext: { event in
                    if self.isClosed.load(ordering: .relaxed) || self.node.memory?.hasSeen(event) == true { return }
                    for sink in self.sinks { sink.take(event) }
                }, onCompleted: { self.ended() })
        }
    }

    /// How many events the sinks have dropped so far.
    var dropped: Int { sinks.reduce(0) { $0 + $1.dropped } }
    /// The same, and how many are waiting in the sinks, or being worked on.
    var flow: Graph.Flow {
        Graph.Flow(
            queued: sinks.reduce(0) { $0 + $1.queued }, dropped: dropped, spooled: sinks.reduce(0) { $0 + $1.spooled })
    }

    /// Keeps what waits on disk from now on.
    func freeze() {
        for sink in sinks { sink.freeze() }
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
            let left = Countdown(self.sinks.count, done)
            for sink in self.sinks {
                if let successor, let next = successor.sinks.first(where: { $0.key == sink.key }) {
                    next.replace(sink, on: successor.scheduler) { left.count() }
                } else {
                    sink.drain { left.count() }
                }
            }
        }
    }

    /// Starts in place of `other`: a sink starts when the one that it replaces has finished its running work, see
    /// ``retire(within:into:_:)``.
    func start(inPlaceOf other: PipelineRun) {
        for sink in sinks where other.sinks.contains(where: { $0.key == sink.key }) { sink.hold() }
        start()
    }

    /// This is no longer part of the graph, but goes on for now.
    func leave() {
        departed.leaves(self)
    }

    /// Stops when the sinks have finished with what came, but after `span` at the latest, and calls `done` once when it
    /// has.
    func retire(
        within span: Duration, into successor: PipelineRun? = nil, _ done: @escaping @Sendable () -> Void = {}
    ) {
        departed.leaves(self)
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
        for sink in sinks { sink.dispose(keepsEvents: keepsEvents) }
        departed.isGone(self)
    }

    private func ended() {
        surroundings.records.write(
            Record(
                .source, .notice, generation: surroundings.generation,
                "\(surroundings.pipeline) has completed: its source emits no more events",
                [.pipeline: surroundings.pipeline]))
    }
}
