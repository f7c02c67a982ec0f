import RxEngine

/// A request that is made again and again.
public struct HTTPPoll: Sendable, Hashable {
    /// The request.
    public var request: HTTPRequest
    /// When it is made.
    public var schedule: TickSchedule
    /// Whether the server is asked for the body only where that has changed (`ETag`, `Last-Modified`), if it says how.
    public var conditional: Bool
    /// For how long a server is left alone at most that asks for it (`Retry-After` with a 429 or 503).
    public var longestRetryAfter: Duration

    /// Makes `request` every so often.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - every: the time from one poll to the next.
    ///   - delay: the time until the first.
    ///   - jitter: by how much a poll may come late, drawn anew for each.
    ///   - conditional: whether an unchanged body need not be sent again.
    ///   - longestRetryAfter: for how long a server is left alone at most that asks for it.
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
    /// What comes of `poll`, each time. A poll that fails is an outcome as any other.
    ///
    ///     poll(every: 4)      o---o---o---o--->
    ///
    /// Polls lie on a grid from the moment of subscribing, which nothing makes drift. One begins when the one before
    /// has been told: the grid's points until then are left out. Where they are a second or more apart, a poll begins
    /// up to 10 ms late, so that those due close to one another share a wake-up. Disposing gives up the request that is
    /// under way.
    ///
    /// Never ends.
    ///
    /// - Parameters:
    ///   - poll: what to ask, and when.
    ///   - scheduler: what polls begin and are told on.
    ///   - random: draws a jitter between zero and the one given.
    public func poll(
        _ poll: HTTPPoll, scheduler: any SchedulerType,
        random: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0..<1) }
    ) -> Observable<HTTPOutcome> {
        .polls(poll, scheduler: scheduler, random: random) { [core] conditions, observer in
            core.start(poll.request, conditions: conditions, on: scheduler, observer)
        }
    }
}
