import RxEngine
import Synchronization

extension Observable where Element == PipelineEvent {
    /// Passes these events through `steps`, and supervises both. A failure never reaches the subscriber: it goes to
    /// `onFailure` as a ``PipelineError`` of the pipeline that `account` is named after.
    ///
    /// With the policy `restart`:
    /// - If the steps fail, they restart with the events that were in flight in them, except the one that they failed
    ///   on; after a pause, if they have received no event since their start. A failing expression or inner source is
    ///   no failure of the steps: they drop the event.
    /// - If the source fails, it restarts after a pause, and the steps keep their state.
    ///
    /// With `stop`, the first failure ends the pipeline, and the events in flight are dropped. With `exit`, `onExit`
    /// ends the daemon; until then, the events in flight and later ones are kept unsettled.
    ///
    /// The pause is one second at first, and twice as long each time, up to a minute. An event resets it.
    func supervised(
        through steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        _ policy: ErrorPolicy, _ account: Resources.Account, on scheduler: any SchedulerType,
        input: PipelineInput = PipelineInput(), completion: PipelineCompletion? = nil,
        onFailure: @escaping @Sendable (PipelineError) -> Void = { $0.report() },
        onExit: @escaping @Sendable (String) -> Void
    ) -> Observable<PipelineEvent> {
        .source { sink in
            let run = SupervisedPipeline(
                self, steps, into: sink, policy, account, scheduler, input, completion, onFailure, onExit)
            run.start()
            return run
        }
    }

    /// The pause before the restart after a failure.
    ///
    /// - Parameter failures: the number of failures in a row before this one.
    static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(failures, 6)))
    }
}

// Unchecked: used on one serial scheduler only.
/// One supervised subscription to a pipeline.
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
    private let completion: PipelineCompletion?
    /// The queue between the source and the steps, so that either can restart without the other.
    private let feed: RestartInput
    /// The subscription to the steps, or the timer before it.
    private let toSteps = SerialDisposable()
    /// The subscription to the source, or the timer before it.
    private let toSource = SerialDisposable()
    /// The number of failures since the last event.
    private var failures = 0
    /// Whether the steps have received an event since they started.
    private var hasReceivedEvent = false
    private var isOver = false

    init(
        _ source: Observable<PipelineEvent>,
        _ steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        into sink: Sink<PipelineEvent>, _ policy: ErrorPolicy, _ account: Resources.Account,
        _ scheduler: any SchedulerType, _ input: PipelineInput, _ completion: PipelineCompletion?,
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
        self.completion = completion
        feed = RestartInput(isTracking: input.hasSteps) { input.enterAgain($0) }
    }

    func start() {
        input.whenStarted { self.startSteps() }
        input.setReceiver(self) { self.deliver($0) }
        startSource()
    }

    func dispose() {
        toSource.dispose()
        toSteps.dispose()
        feed.takeWaiting()
        input.end(self)
    }

    private func startSteps() {
        hasReceivedEvent = false
        feed.willStart()
        completion?.reset()
        hold(toSteps) { [self] in
            steps(feed.events).subscribe(
                onNext: { self.sink.next(self.feed.leaving($0)) },
                onError: { self.stepsFailed($0) },
                onCompleted: {
                    self.toSource.dispose()
                    self.complete()
                }
            )
        }
    }

    private func startSource() {
        hold(toSource) { [self] in
            source.subscribe(
                onNext: { self.deliver(self.input.enter($0)) },
                onError: { self.sourceFailed($0) },
                onCompleted: {
                    self.completion?.setCause(.inputs)
                    self.feed.end(.completed)
                }
            )
        }
    }

    private func complete() {
        completion?.complete()
        sink.completed()
    }

    private func deliver(_ event: PipelineEvent) {
        failures = 0
        hasReceivedEvent = true
        feed.receive(event)
    }

    private func sourceFailed(_ error: any Error) {
        if policy != .restart { return end(with: error) }
        pause(toSource, { .restarts(after: $0) }, after: error, nil) { self.startSource() }
    }

    private func stepsFailed(_ error: any Error) {
        if policy != .restart, !input.isCut { return end(with: error) }
        let (event, inFlight) = feed.runHasFailed(on: error.stepError?.event)
        if input.isCut {
            if event != nil { fail(event, .continues, error) }
            // The events in flight are redelivered to the new steps.
            input.abandon(feed.takeWaiting())
            return toSteps.dispose()
        }
        guard hasReceivedEvent else {
            return pause(toSteps, { .restarts(after: $0, inFlight: inFlight.count) }, after: error, event) {
                self.startSteps()
            }
        }
        fail(event, .stepsRestart(inFlight: inFlight.count), error)
        startSteps()
    }

    /// Ends the pipeline after a failure, as the policy says.
    private func end(with error: any Error) {
        if isOver { return }
        isOver = true
        let (event, inFlight) = feed.runHasFailed(on: error.stepError?.event)
        if policy == .exit {
            fail(event, .exits, error)
            toSteps.dispose()
            // The queued events stay unsettled: the next process redelivers them.
            return onExit("\(account.name) failed: \(error)")
        }
        fail(event, .stops(dropping: inFlight), error)
        dispose()
        completion?.setCause(.failure)
        complete()
    }

    private func fail(_ event: PipelineEvent?, _ consequence: PipelineError.Consequence, _ error: any Error) {
        onFailure(PipelineError(pipeline: account.name, event: event, consequence: consequence, cause: error))
    }

    private func pause(
        _ subscription: SerialDisposable, _ consequence: (Duration) -> PipelineError.Consequence,
        after error: any Error,
        _ event: PipelineEvent?, then start: @escaping @Sendable () -> Void
    ) {
        let pause = Observable.pause(after: failures)
        failures += 1
        fail(event, consequence(pause), error)
        subscription.disposable = scheduler.scheduleRelative((), dueTime: pause.interval) {
            start()
            return Disposables.create()
        }
    }

    private func hold(_ subscription: SerialDisposable, _ start: () -> any Disposable) {
        account.charge { subscription.hold(start) }
    }
}
