import Synchronization

extension ObservableType {
    /// This sequence, subscribed to again when it has failed and the sequence that `notificationHandler` makes then
    /// tells an element.
    ///
    ///     self            --1--X
    ///     notifications   -------------k----|
    ///     retry(when:)    --1------------1--|
    ///
    /// The handler is called once for each subscription, with a sequence of the errors. What it returns, the
    /// notifications, is subscribed to once, before this sequence.
    ///
    /// While this sequence runs, elements of the notifications are ignored, and their end takes the place of this
    /// sequence's next error. When this sequence has failed, an element of the notifications subscribes to it again,
    /// and the end of the notifications ends the result. An end that follows such an element before the new attempt has
    /// begun ends the result too: `retry { $0.take(3) }` makes three attempts. An error of another type than `Failure`
    /// is passed on at once; checkpoints that the error has passed are not part of its type.
    @preconcurrency
    @inlinable
    public func retry<Trigger: ObservableType, Failure: Swift.Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retryWhen) { RetryRun(upstream, into: $0).start { notificationHandler($0).asObservable() } }
    }

    /// This sequence, subscribed to again when it has failed and the sequence that `notificationHandler` makes then
    /// tells an element, whatever the type of the error.
    @preconcurrency
    @inlinable
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Swift.Error>) -> Trigger
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.retryWhen) { RetryRun(upstream, into: $0).start { notificationHandler($0).asObservable() } }
    }
}

/// One run. Failures and new starts are seen to in a loop, so that neither nests in the other.
@usableFromInline
final class RetryRun<Element, Failure: Error> {
    private enum Phase {
        /// The loop is about to subscribe to the source for the first time.
        case starting
        case running
        /// The source has failed; the loop is about to emit the error to the notifications.
        case failed
        /// The notifications have the error.
        case waiting
        /// The notifications have emitted an element; the loop is about to subscribe to the source again.
        case due
        /// The notifications have ended, and the result with them.
        case over
    }

    private let source: Observable<Element>
    private let downstream: Sink<Element>
    private let errors = PublishSubject<Failure>()
    private let handle = SuccessionHandle()
    private let ticket = ResourceTicket(running: .retryWhen)

    private let turns = Atomic(0)
    private let lock = Lock()
    // Below: behind the lock.
    @exclusivity(unchecked) private var phase = Phase.starting
    @exclusivity(unchecked) private var notificationsEnd: Termination?
    // Not behind the lock: written by the source as it ends, and read by the turn that it then asks for. `turns` orders
    // the two.
    /// The error to be passed to the notifications.
    @exclusivity(unchecked) private var failure: Failure?

    @usableFromInline
    init(_ source: Observable<Element>, into downstream: Sink<Element>) {
        self.source = source
        self.downstream = downstream
    }

    /// - Returns: what stops it.
    @usableFromInline
    func start<Notification>(_ handler: (Observable<Failure>) -> Observable<Notification>) -> any Disposable {
        let notifications = handler(errors)
        guard downstream.live.isActive else { return Disposables.create() }
        let live = LiveSubscription()
        handle.keep(live)
        live.attach(notifications.run(NotificationSink(of: self, live)))
        goOn()
        return handle
    }

    private func goOn() {
        guard turns.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { turn() } while turns.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }

    private func turn() {
        guard downstream.live.isActive else { return handle.dispose() }
        if let failure = failure.take() { return tell(failure) }
        let (end, isDue) = lock.locked { () -> (Termination?, Bool) in
            if let notificationsEnd, phase == .waiting || phase == .due { return (notificationsEnd, false) }
            guard phase == .due || phase == .starting else { return (nil, false) }
            phase = .running
            return (nil, true)
        }
        if let end { stop(with: end) } else if isDue { run() }
    }

    private func run() {
        let live = LiveSubscription()
        let (mayStart, _) = handle.replaceRunning(with: live, holdingRemains: false)
        if mayStart { source.start(RetrySink(of: self, live), live) }
    }

    private func tell(_ failure: Failure) {
        let end = lock.locked {
            phase = .waiting
            return notificationsEnd
        }
        if let end { return stop(with: end) }
        // Before anything can follow it: the notifications may subscribe to what it was made of.
        handle.disposeRunning()
        errors.onNext(failure)
    }

    private func stop(with end: Termination) {
        if downstream.live.isActive { downstream.stop(with: end) }
        handle.dispose()
    }

    fileprivate func next(_ element: Element) {
        downstream.next(element)
        if !downstream.live.isActive { handle.dispose() }
    }

    fileprivate func sourceEnded(_ end: Termination) {
        guard case .error(let error) = end, let failure = error as? Failure ?? error.withoutCheckpoints as? Failure
        else { return stop(with: end) }
        self.failure = failure
        lock.locked { phase = .failed }
        goOn()
    }

    fileprivate func notified() {
        let isAwaited = lock.locked {
            guard phase == .waiting else { return false }
            phase = .due
            return true
        }
        if isAwaited { goOn() }
    }

    fileprivate func notificationsEnded(_ end: Termination) {
        let isAwaited = lock.locked {
            notificationsEnd = end
            guard phase == .waiting else { return false }
            phase = .over
            return true
        }
        // Where an attempt is due, a turn is pending that will find the end. Otherwise nothing else is delivered now.
        if isAwaited { stop(with: end) }
    }
}

/// The end of the source's chain.
private final class RetrySink<Element, Failure: Error>: Sink<Element> {
    private let run: RetryRun<Element, Failure>

    init(of run: RetryRun<Element, Failure>, _ live: LiveSubscription) {
        self.run = run
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { run.next(element) }
    }

    override func error(_ error: any Error) {
        stop(.error(error))
    }

    override func completed() {
        stop(.completed)
    }

    private func stop(_ end: Termination) {
        guard live.end() else { return }
        run.sourceEnded(end)
        live.dispose()
    }
}

/// The end of the notifications' chain.
private final class NotificationSink<Notification, Element, Failure: Error>: Sink<Notification> {
    private let run: RetryRun<Element, Failure>

    init(of run: RetryRun<Element, Failure>, _ live: LiveSubscription) {
        self.run = run
        super.init(live)
    }

    override func next(_ element: Notification) {
        if live.isActive { run.notified() }
    }

    override func error(_ error: any Error) {
        stop(.error(error))
    }

    override func completed() {
        stop(.completed)
    }

    private func stop(_ end: Termination) {
        guard live.end() else { return }
        run.notificationsEnded(end)
        live.dispose()
    }
}
