import RxEngine

/// A pipeline that is running into its sinks.
final class PipelineRun: Disposable {
    let node: Node
    /// What the config says of the sinks.
    private let content: String
    private let sinks: [(name: String, kind: any SinkKind)]
    private let surroundings: SinkSurroundings
    private let subscription = SerialDisposable()

    init(
        _ node: Node, _ content: String, _ sinks: [(name: String, kind: any SinkKind)], _ surroundings: SinkSurroundings
    ) {
        self.node = node
        self.content = content
        self.sinks = sinks
        self.surroundings = surroundings
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

    func dispose() {
        subscription.dispose()
    }

    /// Lets no more events come, and calls `done` when the sinks have finished with those that came.
    func drain(_ done: @escaping @Sendable () -> Void) {
        subscription.dispose()
        // Behind the event that is being taken.
        scheduler.perform(done)
    }

    /// Stops when the sinks have finished with what came, but after `span` at the latest.
    func retire(within span: Duration) {
        let deadline = SingleAssignmentDisposable()
        deadline.setDisposable(
            scheduler.scheduleRelative((), dueTime: span.interval) {
                self.dispose()
                return Disposables.create()
            })
        drain {
            deadline.dispose()
            self.dispose()
        }
    }

    private func take(_ event: PipelineEvent) {
        for sink in sinks {
            do {
                try sink.kind.take(event, surroundings)
            } catch {
                let error = PipelineError(
                    pipeline: surroundings.pipeline, sink: sink.name, event: event, cause: error)
                surroundings.records.write(error.record(generation: surroundings.generation))
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
