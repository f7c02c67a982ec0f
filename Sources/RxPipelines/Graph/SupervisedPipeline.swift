import RxEngine
import Synchronization

extension Observable where Element == PipelineEvent {
    /// These events put through `steps`, and kept going whatever fails. Nobody downstream hears of a failure: each goes
    /// to `onFailure` as a ``PipelineError`` of the pipeline that `account` is named after.
    ///
    /// - Where the steps fail, they start again, with the events that were in flight in them but for the one that they
    ///   failed on; where no event has come since they started, after a pause. An expression or an inner source that
    ///   fails is no failure of the steps: these drop the event and go on.
    /// - Where the source fails, it starts again after a pause; the steps keep what they remember.
    ///
    /// That is so where `policy` is to restart. With `stop`, the first failure ends it, and what was in flight is
    /// dropped. With `exit`, `onExit` is to end the daemon; until then what was in flight, and what comes, is kept
    /// unsettled.
    ///
    /// The pause is a second at first and twice as long each time, up to a minute; an event makes it short again.
    func supervised(
        through steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        _ policy: ErrorPolicy, _ account: Resources.Account, on scheduler: any SchedulerType,
        input: PipelineInput = PipelineInput(),
        onFailure: @escaping @Sendable (PipelineError) -> Void = { $0.report() },
        onExit: @escaping @Sendable (String) -> Void
    ) -> Observable<PipelineEvent> {
        .source { sink in
            let run = SupervisedPipeline(self, steps, into: sink, policy, account, scheduler, input, onFailure, onExit)
            run.start()
            return run
        }
    }

    /// How long to wait after a number of failures before this one.
    static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(failures, 6)))
    }
}

/// One run of a pipeline's steps over its source.
// Unchecked: all that it does happens on one serial scheduler.
private final class SupervisedPipeline: Disposable, @unchecked Sendable {
    private let source: Observable<PipelineEvent>
    private let steps: @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>
    private let sink: Sink<PipelineEvent>
    private let policy: ErrorPolicy
    private let onFailure: @Sendable (PipelineError) -> Void
    private let onExit: @Sendable (String) -> Void
    private let account: Resources.Account
    private let scheduler: any SchedulerType
    private let input: PipelineInput
    /// Between the source and the steps, so that either can start afresh without the other.
    private let feed: RestartInput
    private let toSteps = SerialDisposable()
    private let toSource = SerialDisposable()
    private var failures = 0
    /// Whether an event has come since the steps started.
    private var hasNews = false
    private var isOver = false

    init(
        _ source: Observable<PipelineEvent>,
        _ steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        into sink: Sink<PipelineEvent>, _ policy: ErrorPolicy, _ account: Resources.Account,
        _ scheduler: any SchedulerType, _ input: PipelineInput,
        _ onFailure: @escaping @Sendable (PipelineError) -> Void, _ onExit: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.steps = steps
        self.sink = sink
        self.policy = policy
        self.onFailure = onFailure
        self.onExit = onExit
        self.account = account
        self.scheduler = scheduler
        self.input = input
        feed = RestartInput(isTracking: input.hasSteps) { input.enterAgain($0) }
    }

    func start() {
        input.whenStarted { self.startSteps() }
        input.setReceiver(self) { self.give($0) }
        startSource()
    }

    func dispose() {
        toSource.dispose()
        toSteps.dispose()
        feed.takeWaiting()
        input.end(self)
    }

    private func startSteps() {
        hasNews = false
        feed.starts()
        hold(toSteps) { [self] in
            steps(feed.events).subscribe(
                onNext: { self.sink.next(self.feed.leaving($0)) },
                onError: { self.stepsFailed($0) },
                onCompleted: {
                    self.toSource.dispose()
                    self.sink.completed()
                }
            )
        }
    }

    private func startSource() {
        hold(toSource) { [self] in
            source.subscribe(
                onNext: { self.give(self.input.enter($0)) },
                onError: { self.sourceFailed($0) },
                onCompleted: { self.feed.end(.completed) }
            )
        }
    }

    private func give(_ event: PipelineEvent) {
        failures = 0
        hasNews = true
        feed.take(event)
    }

    private func sourceFailed(_ error: any Error) {
        if policy != .restart { return give(up: error) }
        pause(toSource, { .startsAgain(after: $0) }, after: error, nil) { self.startSource() }
    }

    private func stepsFailed(_ error: any Error) {
        if policy != .restart, !input.isCut { return give(up: error) }
        let (event, inFlight) = feed.runHasFailed(on: error.stepError?.event)
        if input.isCut {
            if event != nil { fail(event, .goesOn, error) }
            // What is in flight is redelivered to the new steps.
            input.abandon(feed.takeWaiting())
            return toSteps.dispose()
        }
        guard hasNews else {
            return pause(toSteps, { .startsAgain(after: $0, inFlight: inFlight.count) }, after: error, event) {
                self.startSteps()
            }
        }
        fail(event, .stepsRestart(inFlight: inFlight.count), error)
        startSteps()
    }

    /// Ends, and perhaps the daemon with it.
    private func give(up error: any Error) {
        if isOver { return }
        isOver = true
        let (event, inFlight) = feed.runHasFailed(on: error.stepError?.event)
        if policy == .exit {
            fail(event, .exits, error)
            toSteps.dispose()
            // What waits comes again in the next process.
            return onExit("\(account.name) failed: \(error)")
        }
        fail(event, .stops(dropping: inFlight), error)
        dispose()
        sink.completed()
    }

    private func fail(_ event: PipelineEvent?, _ consequence: PipelineError.Consequence, _ error: any Error) {
        onFailure(PipelineError(pipeline: account.name, event: event, consequence: consequence, cause: error))
    }

    private func pause(
        _ place: SerialDisposable, _ consequence: (Duration) -> PipelineError.Consequence, after error: any Error,
        _ event: PipelineEvent?, then start: @escaping @Sendable () -> Void
    ) {
        let pause = Observable.pause(after: failures)
        failures += 1
        fail(event, consequence(pause), error)
        place.disposable = scheduler.scheduleRelative((), dueTime: pause.interval) {
            start()
            return Disposables.create()
        }
    }

    private func hold(_ place: SerialDisposable, _ start: () -> any Disposable) {
        account.charge { place.hold(start) }
    }
}
