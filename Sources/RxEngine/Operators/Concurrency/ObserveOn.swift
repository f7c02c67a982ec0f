import Synchronization

extension ObservableType {
    /// The same sequence, told on `scheduler`.
    ///
    ///     source                 --1--2--3--|
    ///     observe(on: queue)     ---1--2--3--|
    ///
    /// The events keep their order and follow one another on concurrent schedulers, too. What comes faster than it is
    /// told is kept, without bound. After disposing on a serial `scheduler` itself, nothing more is told.
    ///
    /// On a dispatch queue several events may share one turn; a turn ends after a millisecond or 256 events, whichever
    /// is first, so that others on the queue get theirs. On other schedulers each event is a turn.
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        ObserveOnObservable(asObservable(), scheduler)
    }
}

extension Resources {
    /// How many observables are alive that ``ObservableType/observe(on:)`` made for a serial dispatch queue.
    public static var numberOfSerialDispatchQueueObservables: Int32 {
        Int32(clamping: SerialObserveOnCount.live.load(ordering: .relaxed))
    }
}

private enum SerialObserveOnCount {
    static let live = Atomic(0)
}

// Unchecked: immutable.
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
        SerialObserveOnCount.live.wrappingAdd(change, ordering: .relaxed)
        #endif
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        let shift = Shift(on: scheduler)
        let sink = ObserveOnSink(to: sink, shift)
        sink.live.attach(upstream.with { $0.run(sink) })
        return Disposables.create(sink.live, shift)
    }
}

/// Keeps events until the scheduler tells them.
private final class ObserveOnSink<Element>: Sink<Element>, Shiftwork {
    private let ticket = ResourceTicket(running: .observeOn)
    private let downstream: Sink<Element>
    private let shift: Shift

    private let lock = Lock()
    /// What has come, the end last. Behind the lock.
    @exclusivity(unchecked) private var incoming = Ring<Element>()
    @exclusivity(unchecked) private var end: Termination?
    /// Whether a turn is on, or to come. Behind the lock.
    @exclusivity(unchecked) private var isWorking = false

    /// What the turn that is on is telling. Only it touches this.
    @exclusivity(unchecked) private var outgoing = Ring<Element>()

    init(to downstream: Sink<Element>, _ shift: Shift) {
        self.downstream = downstream
        self.shift = shift
        super.init(LiveSubscription())
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        let isIdle = lock.locked {
            incoming.append(element)
            defer { isWorking = true }
            return !isWorking
        }
        if isIdle { shift.schedule(self) }
    }

    override func error(_ error: any Error) {
        stop(.error(error))
    }

    override func completed() {
        stop(.completed)
    }

    private func stop(_ end: Termination) {
        guard live.end() else { return }
        let isIdle = lock.locked {
            self.end = end
            defer { isWorking = true }
            return !isWorking
        }
        if isIdle { shift.schedule(self) }
        live.dispose()
    }

    func turn() -> Bool {
        var told = 0
        let beginning = shift.isLong ? TimerQueue.elapsed : .zero
        while downstream.live.isActive {
            if outgoing.isEmpty {
                switch lock.locked({ fetch() }) {
                case .elements: break
                case .end(let end):
                    downstream.stop(with: end)
                    return false
                case .nothing: return false
                }
            }
            downstream.next(outgoing.removeFirst())
            told += 1
            if !shift.isLong || told == 256 || told & (told - 1) == 0 && isLate(since: beginning) {
                return !outgoing.isEmpty || lock.locked { hasMore() }
            }
        }
        return false
    }

    private enum Fetched {
        case elements, nothing
        case end(Termination)
    }

    /// Under the lock: what has come meanwhile, the memory of what has been told for the memory of what comes.
    private func fetch() -> Fetched {
        if !incoming.isEmpty {
            swap(&incoming, &outgoing)
            return .elements
        }
        if let end { return .end(end) }
        isWorking = false
        return .nothing
    }

    /// Under the lock.
    private func hasMore() -> Bool {
        isWorking = !incoming.isEmpty || end != nil
        return isWorking
    }

    private func isLate(since beginning: Duration) -> Bool {
        TimerQueue.elapsed - beginning > .milliseconds(1)
    }
}

/// Work that is done in turns.
private protocol Shiftwork: AnyObject {
    /// Does one turn.
    ///
    /// - Returns: whether there has to be another.
    func turn() -> Bool
}

// Unchecked: what changes is behind the lock or atomic.
/// Has a scheduler give turns to a piece of work, which it holds only while one is to come. The turns follow one
/// another whatever the scheduler, without growing the stack where it runs at once what it is given.
private final class Shift: Disposable, @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    /// Whether a turn may take long.
    let isLong: Bool
    private let turns = Atomic(0)
    private let lock = Lock()
    private var work: (any Shiftwork)?
    private var isOver = false

    init(on scheduler: any ImmediateSchedulerType) {
        self.scheduler = scheduler
        isLong = scheduler.isDispatching
    }

    /// Has `work` get a turn. Not called again before that turn has come.
    func schedule(_ work: any Shiftwork) {
        let goesOn = lock.locked {
            if !isOver { self.work = work }
            return !isOver
        }
        guard goesOn else { return }
        _ = scheduler.schedule(self) {
            $0.run()
            return Disposables.create()
        }
    }

    private func run() {
        guard turns.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if let work = lock.locked({ work.take() }), work.turn() { schedule(work) }
        } while turns.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }

    /// Gives no more turns.
    func dispose() {
        let last = lock.locked {
            isOver = true
            return work.take()
        }
        withExtendedLifetime(last) {}
    }
}
