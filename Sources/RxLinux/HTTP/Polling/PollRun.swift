import RxEngine

/// Sends a request with these conditions and calls the closure with its result.
package typealias SendRequest =
    @Sendable (
        _ conditions: HTTPHeaders, _ observer: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> any Disposable

extension ObservableType where Element == HTTPOutcome {
    /// Emits the outcomes of `poll`; `ask` sends its requests and returns their results on `scheduler`.
    package static func polls(
        _ poll: HTTPPoll, scheduler: any SchedulerType, random: @escaping @Sendable (Duration) -> Duration,
        onWait: @escaping @Sendable (Duration) -> Void = { _ in }, _ ask: @escaping SendRequest
    ) -> Observable<HTTPOutcome> {
        precondition(poll.schedule.every > .zero, "a poll's period must be longer than 0")
        return .create { observer in
            let run = PollRun(poll, scheduler, random, onWait, ask, observer)
            run.scheduleNext()
            return run.step
        }
    }
}

// Unchecked: its steps run one after another; each is started by the one before.
/// A run of a poll: it alternates between waiting for the next point of the grid and waiting for a result.
private final class PollRun: @unchecked Sendable {
    /// How late a poll may be to share a wake-up, which costs as much as a poll.
    private static let tolerance = Duration.milliseconds(10)

    /// The current step.
    let step = SerialDisposable()
    private let poll: HTTPPoll
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let onWait: @Sendable (Duration) -> Void
    private let ask: SendRequest
    private let observer: AnyObserver<HTTPOutcome>
    private var memory: PollMemory
    private var due: Duration

    init(
        _ poll: HTTPPoll, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ onWait: @escaping @Sendable (Duration) -> Void, _ ask: @escaping SendRequest,
        _ observer: AnyObserver<HTTPOutcome>
    ) {
        self.onWait = onWait
        self.poll = poll
        self.scheduler = scheduler
        self.random = random
        self.ask = ask
        self.observer = observer
        memory = PollMemory(poll.request, conditional: poll.conditional)
        due = scheduler.elapsed + poll.schedule.delay
    }

    func scheduleNext() {
        let jitter = poll.schedule.jitter > .zero ? random(poll.schedule.jitter) : .zero
        let wait = max(.zero, wakeUp(for: due + jitter) - scheduler.elapsed)
        onWait(wait)
        step.hold {
            scheduler.scheduleRelative((), dueTime: wait.interval) { [self] in
                send()
                return Disposables.create()
            }
        }
    }

    /// The time to wake up for a poll that is due: shared with others if the period is long enough.
    private func wakeUp(for due: Duration) -> Duration {
        guard poll.schedule.every >= Self.tolerance * 100, due > scheduler.elapsed else { return due }
        let unit = Self.tolerance.nanoseconds
        return due + .nanoseconds((unit - due.nanoseconds % unit) % unit)
    }

    private func send() {
        step.hold { ask(memory.conditions) { [self] in deliver($0) } }
    }

    private func deliver(_ result: Result<HTTPResponse, HTTPError>) {
        let outcome = memory.take(result)
        observer.onNext(outcome)
        guard !step.isDisposed else { return }
        advance(past: retryDelay(outcome))
        scheduleNext()
    }

    /// The pause that the server asks for, up to the limit.
    private func retryDelay(_ outcome: HTTPOutcome) -> Duration {
        guard outcome.status == 429 || outcome.status == 503, let span = outcome.retryAfter else { return .zero }
        return min(span, poll.longestRetryAfter)
    }

    /// Advances to the next point of the grid that is at least `span` from now.
    private func advance(past span: Duration) {
        let every = poll.schedule.every
        due += every
        let missing = scheduler.elapsed + span - due
        guard missing > .zero else { return }
        let steps = missing.nanoseconds / max(1, every.nanoseconds)
        due += every * steps
        if due < scheduler.elapsed + span { due += every }
    }
}
