extension ObservableType {
    /// Subscribes again after a failure, each time the sequence that `notificationHandler` returned emits an element.
    ///
    ///     self            --1--X
    ///     notifications   -------------k----|
    ///     retry(when:)    --1------------1--|
    ///
    /// `notificationHandler` is called once for each subscription, with a sequence of the errors. The sequence that it
    /// returns, the notifications, is subscribed to once, before this sequence.
    ///
    /// While this sequence runs, elements of the notifications are dropped, and their completion or error replaces this
    /// sequence's next error. After this sequence has failed, an element of the notifications subscribes to it again,
    /// and completion or an error of the notifications ends the result. The result also ends if the notifications end
    /// after such an element but before the new attempt has started: `retry { $0.take(3) }` makes three attempts.
    ///
    /// Completes when this sequence or, as described, the notifications complete. Fails with the error of the
    /// notifications, or with an error that is not a `Failure`; checkpoints that the error has passed are not part of
    /// its type.
    ///
    /// The thread that emits the notification subscribes again; if another thread is processing a failure of the source
    /// at that moment, that one does.
    ///
    /// - Parameter notificationHandler: returns the notifications for the errors.
    @preconcurrency
    @inlinable
    public func retry<Trigger: ObservableType, Failure: Swift.Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retryWhen) {
            RetryRun(.retryWhen, upstream, into: $0).start { notificationHandler($0).asObservable() }
        }
    }

    /// Subscribes again after any failure, each time the sequence that `notificationHandler` returned emits an element.
    ///
    ///     self            --1--X
    ///     notifications   -------------k----|
    ///     retry(when:)    --1------------1--|
    ///
    /// Follows the rules of the same operator with a type of error. Completes when this sequence or, after a failure,
    /// the notifications complete. Fails with the error of the notifications.
    /// The thread that emits the notification subscribes again.
    @preconcurrency
    @inlinable
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Swift.Error>) -> Trigger
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retryWhen) {
            RetryRun(.retryWhen, upstream, into: $0).start { notificationHandler($0).asObservable() }
        }
    }
}

extension RetryRun where Cause: Error {
    /// Creates a run that starts the source again after errors of type `Cause`.
    @usableFromInline
    convenience init(_ operation: Operator, _ source: Observable<Element>, into downstream: Sink<Element>) {
        self.init(operation, source, into: downstream) { end in
            guard case .error(let error) = end else { return nil }
            return error as? Cause ?? error.withoutCheckpoints as? Cause
        }
    }
}

/// One run of `retry(when:)` or `repeat(when:)`: it starts the source again when that has ended and the notifications
/// emit an element.
///
/// A loop processes the ends of the source and starts new attempts, so that neither nests inside the other on the
/// stack.
@usableFromInline
final class RetryRun<Element, Cause> {
    private enum Phase {
        /// The loop is about to subscribe to the source for the first time.
        case starting
        case running
        /// The source has ended; the loop is about to emit the cause to the notifications.
        case ended
        /// The notifications have received the cause.
        case waiting
        /// The notifications have emitted an element; the loop is about to subscribe to the source again.
        case due
        /// The notifications have ended, and the result with them.
        case over
    }

    private let source: Observable<Element>
    private let downstream: Sink<Element>
    /// Makes of the source's end what the notifications receive; `nil` if it ends the result.
    private let makeCause: (Termination) -> Cause?
    private let causes = PublishSubject<Cause>()
    private let handle = ConcatRunHandle()
    private let ticket: ResourceTicket

    private let steps = WorkCount()
    private let lock = Lock()
    // Guarded by the lock:
    @exclusivity(unchecked) private var phase = Phase.starting
    @exclusivity(unchecked) private var notificationsEnd: Termination?
    // Not guarded by the lock. Only the source writes `cause`, as it ends, and then requests the step that reads it.
    // No other step runs between: one that starts the source reads nothing afterwards, and notifications request none
    // while the source runs. `steps` orders the accesses:
    //
    // | thread of the source             | thread in the loop                               |
    // |----------------------------------|--------------------------------------------------|
    // |                                  | `step()` starts the source                       |
    // | writes `cause`                   |                                                  |
    // | `steps` 1 to 2 (release)         |                                                  |
    // | returns, as it was not 0         | `steps` 2 to 1 (acquire)                         |
    // |                                  | `step()` reads `cause`                           |
    //
    // If the loop has ended before, the source's thread changes `steps` from 0 to 1 and runs the step itself.
    /// The reason why the source ended, which the next step emits to the notifications.
    @exclusivity(unchecked) private var cause: Cause?

    @usableFromInline
    init(
        _ operation: Operator, _ source: Observable<Element>, into downstream: Sink<Element>,
        _ makeCause: @escaping (Termination) -> Cause?
    ) {
        var downstream = downstream
        ticket = ResourceTicket(running: operation, into: &downstream)
        self.source = source
        self.downstream = downstream
        self.makeCause = makeCause
    }

    /// Subscribes to the notifications, then to the source.
    ///
    /// - Returns: the disposable that stops the run.
    @usableFromInline
    func start<Notification>(_ handler: (Observable<Cause>) -> Observable<Notification>) -> any Disposable {
        let notifications = handler(causes)
        guard downstream.live.isActive else { return Disposables.create() }
        let live = LiveSubscription(in: ticket)
        handle.keep(live)
        live.attach(notifications.run(NotificationSink(of: self, live)))
        requestStep()
        return handle
    }

    private func requestStep() {
        steps.run { step() }
    }

    private func step() {
        guard downstream.live.isActive else { return handle.dispose() }
        if let cause = cause.take() { return emit(cause) }
        let (end, isDue) = lock.locked { () -> (Termination?, Bool) in
            if let notificationsEnd, phase == .waiting || phase == .due { return (notificationsEnd, false) }
            guard phase == .due || phase == .starting else { return (nil, false) }
            phase = .running
            return (nil, true)
        }
        if let end { terminate(with: end) } else if isDue { run() }
    }

    private func run() {
        let live = LiveSubscription(in: ticket)
        let (mayStart, _) = handle.replaceRunning(with: live, holdingKept: false)
        if mayStart { source.start(RetrySink(of: self, live), live) }
    }

    private func emit(_ cause: Cause) {
        let end = lock.locked {
            phase = .waiting
            return notificationsEnd
        }
        if let end { return terminate(with: end) }
        // Disposed before the cause is emitted: the notifications may at once subscribe to a resource that the source
        // holds.
        handle.disposeRunning()
        causes.onNext(cause)
    }

    private func terminate(with end: Termination) {
        if downstream.live.isActive { downstream.terminate(with: end) }
        handle.dispose()
    }

    fileprivate func next(_ element: Element) {
        downstream.next(element)
        if !downstream.live.isActive { handle.dispose() }
    }

    fileprivate func sourceEnded(_ end: Termination) {
        guard let cause = makeCause(end) else { return terminate(with: end) }
        self.cause = cause
        lock.locked { phase = .ended }
        requestStep()
    }

    fileprivate func notified() {
        let isAwaited = lock.locked {
            guard phase == .waiting else { return false }
            phase = .due
            return true
        }
        if isAwaited { requestStep() }
    }

    fileprivate func notificationsEnded(_ end: Termination) {
        let isAwaited = lock.locked {
            notificationsEnd = end
            guard phase == .waiting else { return false }
            phase = .over
            return true
        }
        // If an attempt is due, the pending step finds `notificationsEnd`. If the phase was `waiting`, the source is
        // not running, and nothing else is delivered now.
        if isAwaited { terminate(with: end) }
    }
}

/// The boundary sink of the source's chain.
private final class RetrySink<Element, Cause>: BoundarySink<Element> {
    private let run: RetryRun<Element, Cause>

    init(of run: RetryRun<Element, Cause>, _ live: LiveSubscription) {
        self.run = run
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { run.next(element) }
    }

    override func ended(_ end: Termination) {
        run.sourceEnded(end)
    }
}

/// The boundary sink of the notifications' chain.
private final class NotificationSink<Notification, Element, Cause>: BoundarySink<Notification> {
    private let run: RetryRun<Element, Cause>

    init(of run: RetryRun<Element, Cause>, _ live: LiveSubscription) {
        self.run = run
        super.init(live)
    }

    override func next(_ element: Notification) {
        if live.isActive { run.notified() }
    }

    override func ended(_ end: Termination) {
        run.notificationsEnded(end)
    }
}
