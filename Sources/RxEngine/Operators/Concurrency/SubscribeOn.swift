import Synchronization

extension ObservableType {
    /// Subscribes to this sequence, and unsubscribes from it, on `scheduler`.
    ///
    ///     source                        --1--2--|
    ///     subscribe(on: scheduler)       --1--2--|     subscribed to a turn of the scheduler later
    ///
    /// Elements are delivered wherever the source emits them; see ``ObservableType/observe(on:)``. A source that has
    /// ended is freed at once, where its end was delivered. Disposing earlier silences the sequence at once, on the
    /// calling thread, and frees the source when the scheduler runs the unsubscription. A source that emits before that
    /// may be freed earlier, where it emits: one that emits without end could not be stopped otherwise.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.subscribeOn) { downstream in
            let sink = SubscribeOnSink(to: downstream)
            let start = LateStart.make(of: source, into: sink)
            let handle = SubscribeOnHandle(sink.live, on: scheduler)
            let subscription = downstream.live
            let item = scheduler.schedule(()) {
                if subscription.isActive { handle.begin(start) }
                return Disposables.create()
            }
            return Disposables.create(item, handle)
        }
    }
}

/// A boundary: the source's end frees it without a turn of the scheduler.
@usableFromInline
final class SubscribeOnSink<Element>: Sink<Element> {
    private let ticket = ResourceTicket(running: .subscribeOn)
    private let downstream: Sink<Element>

    @usableFromInline
    init(to downstream: Sink<Element>) {
        self.downstream = downstream
        super.init(LiveSubscription())
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive, downstream.live.isActive { downstream.next(element) }
        // The scheduler frees it, but not while it is still being subscribed to.
        if !downstream.live.isActive, !live.isAttached { live.dispose() }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end { if downstream.live.isActive { downstream.error(error) } }
    }

    @usableFromInline
    override func completed() {
        end { if downstream.live.isActive { downstream.completed() } }
    }
}

/// Subscribes to a source in a scheduler's action, and frees it in another, or at once where it has ended.
@usableFromInline
final class SubscribeOnHandle: Disposable {
    private let live: LiveSubscription
    private let scheduler: any ImmediateSchedulerType
    /// Whether the source was subscribed to, or never will be.
    private let hasBegun = Atomic(false)
    /// The thread that is inside the scheduler's action, by the address of its state; 0 where none is.
    private let starting = Atomic<UInt>(0)

    @usableFromInline
    init(_ live: LiveSubscription, on scheduler: any ImmediateSchedulerType) {
        self.live = live
        self.scheduler = scheduler
    }

    /// Called in the scheduler's action.
    @usableFromInline
    func begin(_ start: AnyLateStart) {
        guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
        starting.store(UInt(bitPattern: ThreadState.current), ordering: .relaxed)
        start.now(live.attach)
        starting.store(0, ordering: .relaxed)
    }

    @usableFromInline
    func dispose() {
        let isUnused = !hasBegun.exchange(true, ordering: .acquiringAndReleasing)
        let isOnScheduler = starting.load(ordering: .relaxed) == UInt(bitPattern: ThreadState.current)
        guard !isUnused, !isOnScheduler, live.end() else { return live.dispose() }
        _ = scheduler.schedule(live) {
            $0.dispose()
            return Disposables.create()
        }
    }
}
