/// The time for which a shared run continues without subscribers.
public struct GracePeriod: Sendable {
    let span: RxTimeInterval
    let scheduler: any SchedulerType

    /// Keeps a run, and its replay buffer, for `grace` after the last subscriber has unsubscribed.
    ///
    /// - Parameters:
    ///   - grace: how long the run continues without subscribers.
    ///   - scheduler: measures `grace`, and stops the run.
    public static func whileConnected(grace: RxTimeInterval, scheduler: any SchedulerType) -> GracePeriod {
        GracePeriod(span: grace, scheduler: scheduler)
    }
}

extension ObservableType {
    /// Shares one run among all subscribers, and keeps it for a while after the last has unsubscribed.
    ///
    ///     source                                    --1--2--3--4--5-->
    ///     share(replay: 1, scope: .whileConnected(grace: 8 ticks, scheduler: s))
    ///     first, disposed at .                      --1--2.
    ///     second, subscribed at .                          .2-3--4-->     by the same run
    ///
    /// The first subscriber starts the run. When the last one has unsubscribed, the run continues: a subscriber that
    /// subscribes within the grace period receives the replayed elements and joins it. Otherwise `scheduler` stops the
    /// run when the period is over, and the next subscriber starts the next one, with an empty buffer. The period
    /// starts anew each time that the last subscriber unsubscribes.
    ///
    /// After the sequence has completed or failed, the next subscriber starts the next run. If the only subscriber
    /// unsubscribes while the source is still emitting inside its `subscribe`, the run stops at the first element after
    /// the grace period; in virtual time, which does not advance meanwhile, such a source has to end by itself.
    ///
    /// Subscribers are called on the thread that this sequence emits on, and not under a lock. A new subscriber
    /// receives the replayed elements, and those that arrive meanwhile, on the thread that subscribes.
    ///
    /// - Parameters:
    ///   - replay: the number of elements to replay; a negative one traps.
    ///   - scope: how long the run continues without subscribers.
    /// - Returns: the shared sequence.
    /// - Complexity: O(*n*) for each element, with *n* subscribers; subscribing takes time in proportion to the
    ///   replayed elements.
    @inlinable
    public func share(replay: Int = 0, scope: GracePeriod) -> Observable<Element> {
        precondition(replay >= 0, "share(replay:scope:): replay must not be negative, but is \(replay)")
        return sharedWhileConnected(replay: replay, grace: scope)
    }
}

// Unchecked: the lock of its slot guards the state.
/// The timer of a connection without subscribers.
///
/// A timer that fires while another thread subscribes is decided by the slot's lock: either the subscriber adds its
/// reference first, and the timer is stale, or the timer closes the connection first, and the subscriber gets the next
/// one.
final class ConnectionGrace: @unchecked Sendable {
    fileprivate let period: GracePeriod
    /// The number of the last timer. A timer with another number is stale.
    private var number: UInt64 = 0
    private var timer: (any Disposable)?
    /// When the only subscriber was first found to have unsubscribed during the start of the source.
    private var startOfAbsence: Duration?

    init(_ period: GracePeriod) {
        self.period = period
    }

    // MARK: Under the lock

    /// Begins the grace period.
    ///
    /// - Returns: the number of the timer that the caller starts outside the lock.
    fileprivate func begin() -> UInt64 {
        number += 1
        return number
    }

    /// Ends the grace period, because a subscriber has subscribed or the run has ended.
    ///
    /// - Returns: the timer to dispose outside the lock.
    func cancel() -> (any Disposable)? {
        number += 1
        startOfAbsence = nil
        return timer.take()
    }

    /// Stores a timer that was started, unless it is stale.
    ///
    /// - Returns: the timer to dispose outside the lock, if it is stale.
    fileprivate func store(_ timer: any Disposable, _ number: UInt64) -> (any Disposable)? {
        guard number == self.number else { return timer }
        self.timer = timer
        return nil
    }

    fileprivate func isCurrent(_ number: UInt64) -> Bool { number == self.number }

    /// Whether the period has passed since the first call of this method without a subscriber.
    func hasPassed(at now: Duration) -> Bool {
        let start = startOfAbsence ?? now
        startOfAbsence = start
        return period.span.remaining(since: start, at: now).hasPassed
    }

    /// The time of the scheduler. Read outside the lock.
    var now: Duration { period.scheduler.elapsed }
}

extension ConnectionSlot {
    /// Releases a reference to a connection. Releasing the last one of a run begins the grace period.
    func release(_ connection: Connection, with grace: ConnectionGrace) {
        let (number, stops) = lock.locked { () -> (UInt64?, Bool) in
            connection.references -= 1
            guard connection.references <= 0 else { return (nil, false) }
            if connection.phase == .connected, connection.live.isActive { return (grace.begin(), false) }
            cancel(connection)
            return (nil, true)
        }
        if stops { connection.live.dispose() }
        guard let number else { return }
        let timer = grace.period.scheduler.scheduleRelative(number, dueTime: grace.period.span) { number in
            self.graceExpired(connection, grace, number)
            return Disposables.create()
        }
        lock.locked { grace.store(timer, number) }?.dispose()
    }

    private func graceExpired(_ connection: Connection, _ grace: ConnectionGrace, _ number: UInt64) {
        let (stops, timer) = lock.locked { () -> (Bool, (any Disposable)?) in
            guard grace.isCurrent(number) else { return (false, nil) }
            cancel(connection)
            return (true, grace.cancel())
        }
        if stops { connection.live.dispose() }
        withExtendedLifetime(timer) {}
    }
}
