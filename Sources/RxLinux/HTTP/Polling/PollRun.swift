import RxEngine

/// Makes a request with these conditions, and tells what has come of it.
package typealias Ask =
    @Sendable (
        _ conditions: HTTPHeaders, _ observer: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> any Disposable

extension ObservableType where Element == HTTPOutcome {
    /// What comes of `poll`, each time, where `ask` makes its requests and tells of them on `scheduler`.
    package static func polls(
        _ poll: HTTPPoll, scheduler: any SchedulerType, random: @escaping @Sendable (Duration) -> Duration,
        _ ask: @escaping Ask
    ) -> Observable<HTTPOutcome> {
        precondition(poll.schedule.every > .zero, "a poll's period is longer than nothing")
        return .create { observer in
            let run = PollRun(poll, scheduler, random, ask, observer)
            run.scheduleNext()
            return run.step
        }
    }
}

// Unchecked: each step is started by the one before.
/// One run of a poll: in turns, it waits for the grid's next point and for what comes of the request.
private final class PollRun: @unchecked Sendable {
    /// How late a poll may be for the sake of a wake-up in common. A wake-up costs as much as a poll.
    private static let patience = Duration.milliseconds(10)

    /// What is waited for.
    let step = SerialDisposable()
    private let poll: HTTPPoll
    private let scheduler: any SchedulerType
    private let random: @Sendable (Duration) -> Duration
    private let ask: Ask
    private let observer: AnyObserver<HTTPOutcome>
    private var memory: PollMemory
    private var due: Duration

    init(
        _ poll: HTTPPoll, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ ask: @escaping Ask, _ observer: AnyObserver<HTTPOutcome>
    ) {
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
        step.hold {
            scheduler.scheduleRelative((), dueTime: wait.interval) { [self] in
                askNow()
                return Disposables.create()
            }
        }
    }

    /// When to wake up for what is due then: with others, where it does not matter.
    private func wakeUp(for due: Duration) -> Duration {
        guard poll.schedule.every >= Self.patience * 100, due > scheduler.elapsed else { return due }
        let unit = Self.patience.nanoseconds
        return due + .nanoseconds((unit - due.nanoseconds % unit) % unit)
    }

    private func askNow() {
        step.hold { ask(memory.conditions) { [self] in tell($0) } }
    }

    private func tell(_ result: Result<HTTPResponse, HTTPError>) {
        let outcome = memory.take(result)
        observer.onNext(outcome)
        guard !step.isDisposed else { return }
        advance(past: leftAlone(outcome))
        scheduleNext()
    }

    /// For how long the server wants to be left alone, as far as that is granted.
    private func leftAlone(_ outcome: HTTPOutcome) -> Duration {
        guard outcome.status == 429 || outcome.status == 503, let span = outcome.retryAfter else { return .zero }
        return min(span, poll.longestRetryAfter)
    }

    /// To the grid's next point after now, and not before `span` has passed.
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
