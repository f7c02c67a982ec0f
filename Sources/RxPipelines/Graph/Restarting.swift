import RxEngine
import Synchronization

extension Observable where Element == PipelineEvent {
    /// These events, started again after each failure: after a second at first, then after twice as long each time,
    /// up to a minute. An event that comes through makes the pause short again.
    ///
    /// Every failure goes to `Hooks.defaultErrorHandler` as a ``PipelineError`` of the pipeline that `account` is named
    /// after and that every attempt is charged to; nobody downstream hears of it.
    func restarting(_ account: Resources.Account, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        .source { sink in
            let run = RestartingRun(self, into: sink, account, scheduler)
            run.start()
            return run
        }
    }

    /// How long to wait after a number of failures before this one.
    static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(failures, 6)))
    }
}

// Unchecked: the sink is called by the grammar of events, one attempt after the other on one serial scheduler.
private final class RestartingRun: Disposable, @unchecked Sendable {
    private let source: Observable<PipelineEvent>
    private let sink: Sink<PipelineEvent>
    private let account: Resources.Account
    private let scheduler: any SchedulerType
    /// The attempt that is running, or the wait for the next.
    private let current = SerialDisposable()
    private let failures = Atomic(0)

    init(
        _ source: Observable<PipelineEvent>, into sink: Sink<PipelineEvent>, _ account: Resources.Account,
        _ scheduler: any SchedulerType
    ) {
        self.source = source
        self.sink = sink
        self.account = account
        self.scheduler = scheduler
    }

    func start() {
        account.charge(attempt)
    }

    private func attempt() {
        // In place before it runs: a failure while it starts puts the wait for the next in its stead.
        let attempt = SingleAssignmentDisposable()
        current.disposable = attempt
        attempt.setDisposable(
            source.subscribe(
                onNext: { event in
                    self.failures.store(0, ordering: .relaxed)
                    self.sink.next(event)
                },
                onError: { self.restart(after: $0) },
                onCompleted: { self.sink.completed() }
            ))
    }

    func dispose() {
        current.dispose()
    }

    private func restart(after error: any Error) {
        let before = failures.wrappingAdd(1, ordering: .relaxed).oldValue
        let pause = Observable.pause(after: before)
        let callStack = Hooks.recordCallStackOnError ? Hooks.customCaptureSubscriptionCallstack() : []
        Hooks.defaultErrorHandler(callStack, PipelineError(pipeline: account.name, restart: pause, cause: error))
        current.disposable = scheduler.scheduleRelative((), dueTime: pause.interval) {
            self.start()
            return Disposables.create()
        }
    }
}
