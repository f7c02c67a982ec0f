import RxEngine

/// A pipeline that is running into its sinks.
final class PipelineRun: Disposable {
    let node: Node
    /// What the config says of the sinks.
    private let content: String
    /// Where the sinks' templates stand in the config.
    let places: [Place]
    private let departed: Departed
    private let sinks: [(surroundings: SinkSurroundings, settings: SinkSettings, sink: any OpenSink)]
    private let surroundings: SinkSurroundings
    private let subscription = SerialDisposable()

    init(
        _ node: Node, _ content: String, _ sinks: [(name: String, kind: any SinkKind)], _ places: [Place],
        _ departed: Departed, _ surroundings: SinkSurroundings
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
                return (surroundings, sink.kind.settings, sink.kind.open(in: surroundings))
            }
        }
    }

    /// What sinks of these kinds are told from each other by: in another config, those of the same kind by their order.
    private static func keys(of names: [String], in pipeline: String) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            let count = counts[name, default: 1]
            return "\(pipeline)/\(name)" + (count == 1 ? "" : "-\(count)")
        }
    }

    /// What the run's live objects are charged to.
    var account: Resources.Account { node.account }
    var scheduler: any SchedulerType { node.scheduler }

    /// Whether what the config says now makes the same run.
    func isSame(_ node: Node, _ content: String) -> Bool {
        self.node === node && self.content == content
    }

    /// Called on the pipeline's scheduler.
    func start() {
        account.charge {
            subscription.disposable = node.events(in: node.component).subscribe(
                onNext: { self.take($0) }, onCompleted: { self.ended() })
        }
    }

    /// How many events the sinks have dropped so far.
    var dropped: Int { sinks.reduce(0) { $0 + $1.sink.dropped } }
    /// The same, and how many are waiting in the sinks, or being worked on.
    var flow: Graph.Flow { Graph.Flow(queued: sinks.reduce(0) { $0 + $1.sink.queued }, dropped: dropped) }

    /// Lets no more events come, and calls `done` once: when the sinks have finished with those that came, or were made
    /// to give up by ``dispose()``.
    func drain(_ done: @escaping @Sendable () -> Void) {
        subscription.dispose()
        // Behind the event that is being taken.
        scheduler.perform {
            let left = Countdown(self.sinks.count, done)
            for (_, _, sink) in self.sinks { sink.drain { left.count() } }
        }
    }

    /// Stops when the sinks have finished with what came, but after `span` at the latest, and calls `done` once when it
    /// has.
    func retire(within span: Duration, _ done: @escaping @Sendable () -> Void = {}) {
        departed.leaves(self)
        let deadline = SingleAssignmentDisposable()
        deadline.setDisposable(
            scheduler.scheduleRelative((), dueTime: span.interval) {
                self.dispose()
                return Disposables.create()
            })
        drain {
            deadline.dispose()
            self.dispose()
            done()
        }
    }

    /// Stops at once: commands are ended, and what waits is dropped.
    func dispose() {
        subscription.dispose()
        for (surroundings, _, sink) in sinks {
            let left = sink.queued
            // Said first: whoever waits for the end finds everything said.
            if left > 0 {
                surroundings.record(
                    .warning, "was stopped before it had finished: \(left) event\(left == 1 ? "" : "s") given up",
                    dropped: left)
            }
            sink.dispose()
        }
        departed.isGone(self)
    }

    private func take(_ event: PipelineEvent) {
        for (surroundings, settings, sink) in sinks where settings.actsOnReplays || !event.isReplayed {
            guard let event = event.begun(at: surroundings.key) else { continue }
            do {
                if try sink.take(event) { surroundings.finish(event) }
            } catch {
                surroundings.record(error, on: event)
                surroundings.finish(event)
            }
        }
    }

    private func ended() {
        surroundings.records.write(
            Record(
                .source, .notice, generation: surroundings.generation,
                "\(surroundings.pipeline) has come to its end: its source tells no more",
                [.pipeline: surroundings.pipeline]))
    }
}
