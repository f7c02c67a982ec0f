import RxEngine
import Synchronization

extension Observable where Element == PipelineEvent {
    /// These events put through `steps`, and kept going whatever fails. Nobody downstream hears of a failure: each goes
    /// to `Hooks.defaultErrorHandler` as a ``PipelineError`` of the pipeline that `account` is named after.
    ///
    /// - Where the steps fail, they start afresh, with the next event; where they fail before they have seen one, after a
    ///   pause. An expression or an inner source that fails is no failure of the steps: these drop the event and go on.
    /// - Where the source fails, it starts again after a pause; the steps keep what they remember.
    ///
    /// That is so where `policy` is to restart; else the first failure ends it, and perhaps the daemon through `onExit`.
    ///
    /// The pause is a second at first and twice as long each time, up to a minute; an event makes it short again.
    func keptGoing(
        through steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        _ policy: ErrorPolicy, _ account: Resources.Account, on scheduler: any SchedulerType,
        input: PipelineInput = PipelineInput(), onExit: @escaping @Sendable (String) -> Void
    ) -> Observable<PipelineEvent> {
        .source { sink in
            let run = KeptGoing(self, steps, into: sink, policy, account, scheduler, input, onExit)
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
private final class KeptGoing: Disposable, @unchecked Sendable {
    private let source: Observable<PipelineEvent>
    private let steps: @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>
    private let sink: Sink<PipelineEvent>
    private let policy: ErrorPolicy
    private let onExit: @Sendable (String) -> Void
    private let account: Resources.Account
    private let scheduler: any SchedulerType
    private let input: PipelineInput
    /// Between the source and the steps, so that either can start afresh without the other.
    private let feed = PublishSubject<PipelineEvent>()
    private let toSteps = SerialDisposable()
    private let toSource = SerialDisposable()
    private var failures = 0
    private var stepsHaveSeenAnEvent = false

    init(
        _ source: Observable<PipelineEvent>,
        _ steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>,
        into sink: Sink<PipelineEvent>, _ policy: ErrorPolicy, _ account: Resources.Account,
        _ scheduler: any SchedulerType, _ input: PipelineInput, _ onExit: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.steps = steps
        self.sink = sink
        self.policy = policy
        self.onExit = onExit
        self.account = account
        self.scheduler = scheduler
        self.input = input
    }

    func start() {
        input.whenStarted { self.startSteps() }
        input.setReceiver(self) { self.give($0) }
        startSource()
    }

    func dispose() {
        toSource.dispose()
        toSteps.dispose()
        input.end(self)
    }

    private func startSteps() {
        stepsHaveSeenAnEvent = false
        hold(toSteps) { [self] in
            steps(feed).subscribe(
                onNext: { self.sink.next($0) },
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
                onError: { error in self.pause(self.toSource, after: error) { self.startSource() } },
                onCompleted: { self.feed.onCompleted() }
            )
        }
    }

    private func give(_ event: PipelineEvent) {
        failures = 0
        stepsHaveSeenAnEvent = true
        feed.onNext(event)
    }

    private func stepsFailed(_ error: any Error) {
        if input.isCut {
            // What is in flight is redelivered to the new steps.
            input.abandon()
            return toSteps.dispose()
        }
        if policy != .restart { return give(up: error) }
        if stepsHaveSeenAnEvent {
            PipelineError(pipeline: account.name, consequence: .stepsStartAfresh, cause: error).report()
            startSteps()
        } else {
            pause(toSteps, after: error) { self.startSteps() }
        }
    }

    /// Ends, and perhaps the daemon with it.
    private func give(up error: any Error) {
        PipelineError(pipeline: account.name, consequence: policy == .exit ? .exits : .stops, cause: error).report()
        dispose()
        sink.completed()
        if policy == .exit { onExit("\(account.name) failed: \(error)") }
    }

    private func pause(_ place: SerialDisposable, after error: any Error, then start: @escaping @Sendable () -> Void) {
        if policy != .restart { return give(up: error) }
        let pause = Observable.pause(after: failures)
        failures += 1
        PipelineError(pipeline: account.name, consequence: .startsAgain(after: pause), cause: error).report()
        place.disposable = scheduler.scheduleRelative((), dueTime: pause.interval) {
            start()
            return Disposables.create()
        }
    }

    private func hold(_ place: SerialDisposable, _ start: () -> any Disposable) {
        account.charge { place.hold(start) }
    }
}
