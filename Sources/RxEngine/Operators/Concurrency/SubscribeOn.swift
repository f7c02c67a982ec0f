extension ObservableType {
    /// Subscribes to this sequence, and unsubscribes from it, on `scheduler`.
    ///
    ///     source                        --1--2--|
    ///     subscribe(on: scheduler)       --1--2--|     subscribed to a turn of the scheduler later
    ///
    /// Elements are delivered wherever the source emits them; see ``ObservableType/observe(on:)``. A source that has ended
    /// is freed at once, where its end was delivered. Disposing earlier silences the sequence at once, on the calling
    /// thread, and frees the source when the scheduler runs the unsubscription.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.subscribeOn) { downstream in
            let sink = SubscribeOnSink(to: downstream)
            let start = LateStart.make(of: source, into: sink)
            let handle = SubscribeOnHandle(sink.live, on: scheduler)
            let subscription = downstream.live
            return scheduler.schedule(()) {
                if subscription.isActive { handle.attach(start.now()) }
                return handle
            }
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

/// Frees a source on a scheduler, or at once where it has ended.
@usableFromInline
final class SubscribeOnHandle: Disposable {
    private let live: LiveSubscription
    private let scheduler: any ImmediateSchedulerType

    @usableFromInline
    init(_ live: LiveSubscription, on scheduler: any ImmediateSchedulerType) {
        self.live = live
        self.scheduler = scheduler
    }

    @usableFromInline
    func attach(_ source: any Disposable) {
        live.attach(source)
    }

    @usableFromInline
    func dispose() {
        guard live.end() else { return live.dispose() }
        _ = scheduler.schedule(live) {
            $0.dispose()
            return Disposables.create()
        }
    }
}
