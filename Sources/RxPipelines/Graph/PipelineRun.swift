import RxEngine

/// A pipeline that is running into its sinks.
final class PipelineRun: Disposable {
    let account: Resources.Account
    let scheduler: any SchedulerType
    private let node: Observable<PipelineEvent>
    private let sinks: [(name: String, kind: any SinkKind)]
    private let surroundings: SinkSurroundings
    private let subscription = SerialDisposable()

    init(
        _ node: Observable<PipelineEvent>, _ sinks: [(name: String, kind: any SinkKind)],
        _ surroundings: SinkSurroundings, _ account: Resources.Account, on scheduler: any SchedulerType
    ) {
        self.node = node
        self.sinks = sinks
        self.surroundings = surroundings
        self.account = account
        self.scheduler = scheduler
    }

    /// Called on the pipeline's scheduler.
    func start() {
        account.charge {
            subscription.disposable = node.subscribe(onNext: { self.take($0) }, onCompleted: { self.ended() })
        }
    }

    func dispose() {
        subscription.dispose()
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
