import RxEngine
import Synchronization

/// A pipeline that is running into its sinks, and that starts again when it fails.
final class PipelineRun: Disposable {
    let account: Resources.Account
    let scheduler: any SchedulerType
    private let node: Observable<PipelineEvent>
    private let sinks: [(name: String, kind: any SinkKind)]
    private let surroundings: SinkSurroundings
    /// The subscription, or, after a failure, the wait for the next.
    private let current = SerialDisposable()
    private let failures = Atomic(0)

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
        guard !current.isDisposed else { return }
        // In place before it runs: a failure while it starts puts the wait for the next in its stead.
        let subscription = SingleAssignmentDisposable()
        current.disposable = subscription
        account.charge {
            subscription.setDisposable(
                node.subscribe(
                    onNext: { self.take($0) },
                    onError: { self.restart(after: $0) },
                    onCompleted: { self.ended() }
                ))
        }
    }

    func dispose() {
        current.dispose()
    }

    private func take(_ event: PipelineEvent) {
        failures.store(0, ordering: .relaxed)
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

    private func restart(after error: any Error) {
        let pause = Self.pause(after: failures.wrappingAdd(1, ordering: .relaxed).oldValue)
        let error = PipelineError(pipeline: surroundings.pipeline, restart: pause, cause: error)
        Hooks.defaultErrorHandler(Hooks.recordCallStackOnError ? Hooks.customCaptureSubscriptionCallstack() : [], error)
        current.disposable = scheduler.scheduleRelative((), dueTime: pause.interval) {
            self.start()
            return Disposables.create()
        }
    }

    private func ended() {
        surroundings.records.write(
            Record(
                .source, .notice, generation: surroundings.generation,
                "\(surroundings.pipeline) has come to its end: its source tells no more",
                [.pipeline: surroundings.pipeline]))
    }

    /// 1s, 2s, 4s and so on, up to a minute.
    static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(failures, 6)))
    }
}
