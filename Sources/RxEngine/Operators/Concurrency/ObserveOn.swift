import Synchronization

extension ObservableType {
    /// Delivers the events of this sequence on `scheduler`.
    ///
    ///     source                 --1--2--3--|
    ///     observe(on: queue)     ---1--2--3--|
    ///
    /// The events keep their order and are delivered one at a time, also on concurrent schedulers. Elements that arrive
    /// faster than the observer handles them are queued without bound; see
    /// ``ObservableType/observe(on:bufferSize:overflow:drops:)`` for a bound. The result completes and fails with the
    /// source, after the queued elements. After a dispose on `scheduler` itself, if that is serial, nothing more is
    /// delivered.
    ///
    /// On a dispatch queue or an executor, one action may deliver several events, but no more than 256, and none after a
    /// millisecond, so that other work there gets to run. On other schedulers each event has its own action.
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        ObserveOnObservable(asObservable(), scheduler)
    }
}

extension Resources {
    /// The number of live observables that ``ObservableType/observe(on:)`` created for a serial dispatch queue.
    ///
    /// It counts only if the engine is built with `TRACE_RESOURCES`.
    public static var numberOfSerialDispatchQueueObservables: Int32 {
        Int32(clamping: SerialObserveOnCount.value.load(ordering: .relaxed))
    }
}

private enum SerialObserveOnCount {
    static let value = Atomic(0)
}

// Unchecked: immutable.
/// A source whose events are delivered on a scheduler.
@usableFromInline
final class ObserveOnObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let upstream: Upstream
    private let scheduler: any ImmediateSchedulerType

    @usableFromInline
    init(_ upstream: Observable<Element>, _ scheduler: any ImmediateSchedulerType) {
        self.upstream = Upstream(upstream)
        self.scheduler = scheduler
        super.init(.observeOn)
        count(1)
    }

    deinit {
        count(-1)
    }

    private func count(_ change: Int) {
        #if TRACE_RESOURCES
        guard scheduler is SerialDispatchQueueScheduler else { return }
        SerialObserveOnCount.value.wrappingAdd(change, ordering: .relaxed)
        #endif
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        let batches = BatchScheduler(on: scheduler)
        let sink = ObserveOnSink(to: sink, batches)
        sink.live.attach(upstream.with { $0.run(sink) })
        return Disposables.create(sink.live, batches)
    }
}

/// Queues events until the scheduler delivers them.
///
/// Not a ``SerializedDrain``: a thread that posts there may have to run what is queued, and here only the scheduler
/// runs it. ``BatchScheduler`` keeps batches apart by a ``WorkCount``, as the other loops do.
private final class ObserveOnSink<Element>: BoundarySink<Element>, BatchDelivery {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>
    private let batches: BatchScheduler

    private let lock = Lock()
    /// The queued elements. Guarded by the lock.
    @exclusivity(unchecked) private var incoming = RingBuffer<Element>()
    /// The end of the source, which follows the queued elements. Guarded by the lock.
    @exclusivity(unchecked) private var end: Termination?
    /// Whether a batch is scheduled or being delivered. Guarded by the lock.
    @exclusivity(unchecked) private var isScheduled = false

    /// The elements that the current batch delivers. Only that batch uses it.
    @exclusivity(unchecked) private var outgoing = RingBuffer<Element>()

    init(to downstream: Sink<Element>, _ batches: BatchScheduler) {
        var downstream = downstream
        ticket = ResourceTicket(running: .observeOn, into: &downstream)
        self.downstream = downstream
        self.batches = batches
        super.init(LiveSubscription(in: ticket))
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        let isIdle = lock.locked {
            incoming.append(element)
            defer { isScheduled = true }
            return !isScheduled
        }
        if isIdle { batches.schedule(self) }
    }

    override func ended(_ end: Termination) {
        let isIdle = lock.locked {
            self.end = end
            defer { isScheduled = true }
            return !isScheduled
        }
        if isIdle { batches.schedule(self) }
    }

    func deliverBatch() -> Bool {
        if BlockingWatch.isOn { BlockingWatch.note(.observeOn, ticket.record) }
        var batch = BatchLimit(start: batches.deliversSeveral ? TimerQueue.now : nil)
        while downstream.live.isActive {
            if outgoing.isEmpty {
                switch lock.locked({ fetch() }) {
                case .elements: break
                case .end(let end):
                    downstream.terminate(with: end)
                    return false
                case .nothing: return false
                }
            }
            downstream.next(outgoing.removeFirst())
            if !batches.deliversSeveral || batch.countItem() {
                return !outgoing.isEmpty || lock.locked { hasMore() }
            }
        }
        return false
    }

    private enum FetchResult {
        case elements, nothing
        case end(Termination)
    }

    /// Swaps the two queues, so that both keep their memory. Called under the lock.
    private func fetch() -> FetchResult {
        if !incoming.isEmpty {
            swap(&incoming, &outgoing)
            return .elements
        }
        if let end { return .end(end) }
        isScheduled = false
        return .nothing
    }

    /// Called under the lock.
    private func hasMore() -> Bool {
        isScheduled = !incoming.isEmpty || end != nil
        return isScheduled
    }
}

/// Queued events that are delivered in batches.
private protocol BatchDelivery: AnyObject {
    /// Delivers one batch.
    ///
    /// - Returns: whether another batch has to follow.
    func deliverBatch() -> Bool
}

// Unchecked: mutable state is atomic or guarded by the lock.
/// Schedules the batches of a delivery, which it retains only while a batch is scheduled.
///
/// The batches follow one another on any scheduler, and do not nest on the stack if the scheduler runs actions at once.
private final class BatchScheduler: Disposable, @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    /// Whether a batch may deliver several events.
    let deliversSeveral: Bool
    /// The actions that have started, each for a batch.
    private let dueBatches = WorkCount()
    private let lock = Lock()
    private var delivery: (any BatchDelivery)?
    private var isDisposed = false

    init(on scheduler: any ImmediateSchedulerType) {
        self.scheduler = scheduler
        deliversSeveral = scheduler.runsInRealTime
    }

    /// Schedules a batch of `delivery`. Not called again before that batch runs.
    func schedule(_ delivery: any BatchDelivery) {
        let isActive = lock.locked {
            if !isDisposed { self.delivery = delivery }
            return !isDisposed
        }
        guard isActive else { return }
        _ = scheduler.schedule(self) {
            $0.run()
            return Disposables.create()
        }
    }

    private func run() {
        dueBatches.run {
            if let delivery = lock.locked({ delivery.take() }), delivery.deliverBatch() { schedule(delivery) }
        }
    }

    /// Drops the batch that is scheduled, and all later ones.
    func dispose() {
        let dropped = lock.locked {
            isDisposed = true
            return delivery.take()
        }
        withExtendedLifetime(dropped) {}
    }
}
