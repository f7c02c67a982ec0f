import RxEngine

/// A request that is repeated on a schedule.
public struct HTTPPoll: Sendable, Hashable {
    /// The request.
    public var request: HTTPRequest
    /// The schedule of the request.
    public var schedule: TickSchedule
    /// Whether to ask for the body only if it has changed, if the server supports that (`ETag`, `Last-Modified`).
    public var conditional: Bool
    /// The longest pause that a server may ask for (`Retry-After` with a 429 or 503).
    public var longestRetryAfter: Duration

    /// Creates a poll of `request`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - every: the time from one poll to the next.
    ///   - delay: the time until the first poll.
    ///   - jitter: the most that a poll is delayed at random, drawn for each poll.
    ///   - conditional: whether to ask for the body only if it has changed.
    ///   - longestRetryAfter: the longest pause that a server may ask for.
    public init(
        _ request: HTTPRequest, every: Duration, delay: Duration = .zero, jitter: Duration = .zero,
        conditional: Bool = true, longestRetryAfter: Duration = .seconds(3600)
    ) {
        self.request = request
        schedule = TickSchedule(every: every, delay: delay, jitter: jitter)
        self.conditional = conditional
        self.longestRetryAfter = longestRetryAfter
    }
}

extension HTTPClient {
    /// Sends the request of `poll` repeatedly and emits each outcome, also that of a failure.
    ///
    ///     poll(every: 4)      o---o---o---o--->
    ///
    /// Polls are due at multiples of the period after the subscription, without drift. A poll begins after the outcome of
    /// the one before was delivered; those that fall due before that are skipped. With a second or more between them, a
    /// poll begins up to 10 ms late, so that polls that are due close to one another share a wake-up. Disposing cancels
    /// the running request.
    ///
    /// It never ends.
    ///
    /// - Parameters:
    ///   - poll: the request and its schedule.
    ///   - scheduler: the scheduler that starts the polls and delivers the outcomes.
    ///   - random: returns a random jitter between zero and its argument.
    public func poll(
        _ poll: HTTPPoll, scheduler: any SchedulerType,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) }
    ) -> Observable<HTTPOutcome> {
        self.poll(poll, scheduler: scheduler, random: random, onSecret: nil)
    }

    /// Polls as ``poll(_:scheduler:random:)``, with closures for the secrets and the times of polls.
    ///
    /// `onSecret` is called with each secret of each request, `onWait` with the time until each poll. A poll also
    /// begins when `fires` emits, on `scheduler`, unless one is running.
    package func poll(
        _ poll: HTTPPoll, scheduler: any SchedulerType,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) },
        onSecret: HTTPSecretObserver?, fires: Observable<Void> = .never(),
        onWait: @escaping @Sendable (Duration) -> Void = { _ in }
    ) -> Observable<HTTPOutcome> {
        .polls(poll, scheduler: scheduler, random: random, memory: core.remembered, fires: fires, onWait: onWait) {
            [core] conditions, observer in
            core.start(poll.request, conditions: conditions, on: scheduler, onSecret: onSecret, observer)
        }
    }
}
