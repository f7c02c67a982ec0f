import RxEngine

/// Sends a request with these conditions and calls the closure with its result.
package typealias SendRequest =
    @Sendable (
        _ conditions: HTTPHeaders, _ observer: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> any Disposable

extension ObservableType where Element == HTTPOutcome {
    /// Emits the outcomes of `poll`, whose requests `ask` sends.
    ///
    /// `ask` returns their results on `scheduler`, on which `fires` emits when a poll is to begin at once.
    package static func polls(
        _ poll: HTTPPoll, scheduler: any SchedulerType, random: @escaping @Sendable (Duration) -> Duration,
        memory: MemoryQuota = MemoryQuota(), fires: Observable<Void> = .never(),
        onWait: @escaping @Sendable (Duration) -> Void = { _ in },
        _ ask: @escaping SendRequest
    ) -> Observable<HTTPOutcome> {
        precondition(poll.schedule.every > .zero, "a poll's period must be longer than 0")
        return .create { observer in
            let run = PollRun(poll, scheduler, random, memory, onWait, ask, observer)
            run.scheduleNext()
            return Disposables.create(fires.subscribe(onNext: { run.pollNow() }), run.step)
        }
    }
}

// Unchecked: its steps run one after another; each is started by the one before.
/// A run of a poll: it alternates between waiting for the next point of the grid and waiting for a result.
private final class PollRun: @unchecked Sendable {
    /// The event that the run waits for.
    private enum Phase {
        case waiting
        /// Waiting for the result of a request; an extra one is not at a point of the grid.
        case polling(isExtra: Bool)
    }

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
    private var phase = Phase.waiting
    private var due: Duration
    /// When the next poll begins: when it is due, or with its jitter later.
    private var wake = Duration.zero

    init(
        _ poll: HTTPPoll, _ scheduler: any SchedulerType, _ random: @escaping @Sendable (Duration) -> Duration,
        _ memory: MemoryQuota, _ onWait: @escaping @Sendable (Duration) -> Void, _ ask: @escaping SendRequest,
        _ observer: AnyObserver<HTTPOutcome>
    ) {
        self.onWait = onWait
        self.poll = poll
        self.scheduler = scheduler
        self.random = random
        self.ask = ask
        self.observer = observer
        self.memory = PollMemory(poll.request, conditional: poll.conditional, memory)
        due = scheduler.elapsed + poll.schedule.delay
    }

    func scheduleNext() {
        let jitter = poll.schedule.jitter > .zero ? random(poll.schedule.jitter) : .zero
        wake = wakeUp(for: due + jitter)
        waitForNext()
    }

    private func waitForNext() {
        phase = .waiting
        let wait = max(.zero, wake - scheduler.elapsed)
        onWait(wait)
        step.hold {
            scheduler.scheduleRelative((), dueTime: wait.interval) { [self] in
                send(isExtra: false)
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

    /// Begins a poll unless one is running. It does not move the grid.
    func pollNow() {
        if case .waiting = phase { send(isExtra: true) }
    }

    private func send(isExtra: Bool) {
        phase = .polling(isExtra: isExtra)
        step.hold { ask(memory.conditions) { [self] in deliver($0) } }
    }

    private func deliver(_ result: Result<HTTPResponse, HTTPError>) {
        let outcome = memory.receive(result)
        observer.onNext(outcome)
        guard !step.isDisposed else { return }
        let earliest = scheduler.elapsed + retryDelay(outcome)
        if case .polling(isExtra: true) = phase {
            if wake >= earliest { return waitForNext() }
        } else {
            due += poll.schedule.every
        }
        skip(until: earliest)
        scheduleNext()
    }

    /// The pause that the server asks for, up to the limit.
    private func retryDelay(_ outcome: HTTPOutcome) -> Duration {
        guard outcome.status == 429 || outcome.status == 503, let span = outcome.retryAfter else { return .zero }
        return min(span, poll.longestRetryAfter)
    }

    /// Skips the points of the grid before this time.
    private func skip(until time: Duration) {
        let every = poll.schedule.every
        let missing = time - due
        guard missing > .zero else { return }
        let steps = missing.nanoseconds / max(1, every.nanoseconds)
        due += every * steps
        if due < time { due += every }
    }
}
