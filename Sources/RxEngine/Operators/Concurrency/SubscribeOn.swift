import Synchronization

extension ObservableType {
    /// Subscribes to this sequence, and unsubscribes from it, on `scheduler`.
    ///
    ///     source                        --1--2--|
    ///     subscribe(on: scheduler)       --1--2--|     subscribed to in an action of the scheduler
    ///
    /// Elements are delivered on the threads on which the source emits them; see ``ObservableType/observe(on:)``. The
    /// result completes and fails with the source.
    ///
    /// A source that has ended is disposed at once, on the thread that delivered its end. Disposing earlier stops
    /// delivery at once, on the calling thread, and disposes the source when the scheduler runs the unsubscription. A
    /// source that emits before that may be disposed earlier, on the thread on which it emits: a source that emits
    /// without end could not be stopped otherwise.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.subscribeOn) { downstream in
            let sink = SubscribeOnSink(to: downstream)
            let delayedStart = DelayedStart.make(of: source, into: sink)
            let handle = SubscribeOnHandle(sink.live, on: scheduler)
            let subscription = downstream.live
            let item = scheduler.schedule(()) {
                if subscription.isActive { handle.start(delayedStart) }
                return Disposables.create()
            }
            return Disposables.create(item, handle)
        }
    }
}

/// The boundary sink of the source's chain, with a subscription of its own: when the source ends, it is disposed
/// without an action of the scheduler.
@usableFromInline
final class SubscribeOnSink<Element>: BoundarySink<Element> {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>

    @usableFromInline
    init(to downstream: Sink<Element>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .subscribeOn, into: &downstream)
        self.downstream = downstream
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive, downstream.live.isActive { downstream.next(element) }
        // The scheduler disposes the source, but not while the source is still being subscribed to.
        if !downstream.live.isActive, !live.isAttached { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        if downstream.live.isActive { downstream.terminate(with: end) }
    }
}

/// Subscribes to a source in an action of the scheduler, and disposes it in another, or at once if it has ended.
@usableFromInline
final class SubscribeOnHandle: Disposable {
    private let live: LiveSubscription
    private let scheduler: any ImmediateSchedulerType
    /// Set by the first call of ``start(_:)`` or ``dispose()``. The source is subscribed to only if that is `start`.
    private let isClaimed = Atomic(false)
    /// The thread that is inside the scheduler's action, identified by the address of its state; 0 if there is none.
    private let startingThread = Atomic<UInt>(0)

    @usableFromInline
    init(_ live: LiveSubscription, on scheduler: any ImmediateSchedulerType) {
        self.live = live
        self.scheduler = scheduler
    }

    /// Subscribes to the source, unless this was disposed. Called in an action of the scheduler.
    @usableFromInline
    func start(_ delayedStart: AnyDelayedStart) {
        guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        startingThread.store(UInt(bitPattern: ThreadState.current), ordering: .relaxed)
        delayedStart.start(live.attach)
        startingThread.store(0, ordering: .relaxed)
    }

    @usableFromInline
    func dispose() {
        let isUnstarted = !isClaimed.exchange(true, ordering: .acquiringAndReleasing)
        let isOnScheduler = startingThread.load(ordering: .relaxed) == UInt(bitPattern: ThreadState.current)
        guard !isUnstarted, !isOnScheduler, live.end() else { return live.dispose() }
        _ = scheduler.schedule(live) {
            $0.dispose()
            return Disposables.create()
        }
    }
}
