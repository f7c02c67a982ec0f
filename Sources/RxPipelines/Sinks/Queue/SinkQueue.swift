import RxEngine

/// A job of a batch that failed, while others were done.
struct JobFailure: Sendable {
    /// Its place in the batch.
    let place: Int
    let error: any Error

    /// A job alone ends with its error.
    static func none(_ never: Never) -> JobFailure {}
}

// Unchecked: the lock guards all mutable state.
/// A sink with slow work: a queue, and one batch at a time that is worked on off the pipeline's scheduler.
final class SinkQueue<Job: Sendable>: OpenSink, @unchecked Sendable {
    private typealias Item = (event: PipelineEvent, job: Job)

    private let surroundings: SinkSurroundings
    private let rules: QueuePolicy
    private let most: Int
    private let isCancellable: Bool
    private let prepare: @Sendable (PipelineEvent) throws -> Job
    private let work: @Sendable ([Job]) -> Observable<JobFailure>
    private let description: (@Sendable (Job) -> String)?
    private let dropRecords: DropRecords
    private let scheduler: any SchedulerType
    private let lock = Lock()
    // Below: guarded by the lock.
    private var waiting = Ring<Item>()
    private var batch: Batch?
    /// Whether a thread is in ``startNext()``'s loop: starts must not nest.
    private var isStarting = false
    private var droppedCount = 0
    private var phase = Phase.open

    private enum Phase {
        case open
        /// Waiting events are still worked on.
        case draining(whenOver: @Sendable () -> Void)
        /// Waiting events are passed to the replacing sink.
        case handingOver(to: @Sendable ([PipelineEvent]) -> Void)
        case over
    }

    // Unchecked: guarded by the queue's lock.
    /// The events that are worked on together.
    private final class Batch: @unchecked Sendable {
        let items: [Item]
        let running = SingleAssignmentDisposable()
        var isFinished = false
        /// The places of the jobs that failed. Touched by the one who works off the batch.
        var failed: Set<Int> = []

        init(_ items: [Item]) {
            self.items = items
        }
    }

    /// - Parameters:
    ///   - most: the largest batch.
    ///   - isCancellable: whether a running batch can be cancelled. By default one of several events cannot: nobody would know which
    ///     of them are done.
    ///   - prepare: makes the job for an event, synchronously.
    ///   - workOff: does the jobs of a batch when it is subscribed to, on the given scheduler or on its own. It emits the jobs
    ///     that fail, or ends with an error where all of them do.
    ///   - done: describes what was done, for the record that connects an event with its effect.
    init(
        _ surroundings: SinkSurroundings, _ rules: QueuePolicy, most: Int, isCancellable: Bool? = nil,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        workOff: @escaping @Sendable ([Job], any SchedulerType) -> Observable<JobFailure>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.surroundings = surroundings
        let rules = surroundings.isSpooled ? QueuePolicy() : rules
        self.rules = rules
        self.most = most
        self.isCancellable = isCancellable ?? (most == 1)
        self.prepare = prepare
        let scheduler = surroundings.host.makeScheduler("rx.\(surroundings.pipeline).\(surroundings.sink)")
        self.scheduler = scheduler
        self.work = { jobs in
            let work = workOff(jobs, scheduler)
            return surroundings.account.map { work.charged(to: $0) } ?? work
        }
        description = done
        dropRecords = DropRecords(surroundings, rules)
    }

    /// A queue whose batches are single events.
    convenience init(
        _ surroundings: SinkSurroundings, _ rules: QueuePolicy,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        work: @escaping @Sendable (Job, any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.init(
            surroundings, rules, most: 1, prepare: prepare,
            workOff: { work($0[0], $1).map(JobFailure.none) }, done: done)
    }

    deinit {
        if isCancellable { batch?.running.dispose() }
    }

    var queued: Int { lock.locked { waiting.count + (batch?.items.count ?? 0) } }
    var dropped: Int { lock.locked { droppedCount } }
    var unfinished: [PipelineEvent] {
        lock.locked { (batch?.items ?? []).map(\.event) + waiting.map(\.event) }
    }

    // MARK: - Enqueueing

    func take(_ event: PipelineEvent) throws -> Bool {
        let item = (event, try prepare(event))
        // Released outside the lock: an event's deinitialisers may do anything.
        var dropped: [Item] = []
        let (isOpen, cancelled, count) = lock.locked { () -> (Bool, Batch?, Int) in
            guard case .open = phase else {
                droppedCount += 1
                return (false, nil, 0)
            }
            dropped = put(item)
            droppedCount += dropped.count
            return (true, rules.overlap == .cancel ? batch : nil, waiting.count)
        }
        guard isOpen else { return false }
        dropRecords.dropped(dropped.count)
        dropRecords.added(to: count)
        cancelled?.running.dispose()
        startNext()
        return false
    }

    /// Enqueues an item as the policy says.
    ///
    /// - Returns: the dropped items.
    private func put(_ item: Item) -> [Item] {
        switch rules.overlap {
        case .drop where batch != nil || !waiting.isEmpty: return [item]
        case .queue where waiting.count >= rules.capacity && rules.overflow == .dropNewest: return [item]
        default: break
        }
        defer { waiting.append(item) }
        switch rules.overlap {
        case .queue: return waiting.count >= rules.capacity ? [waiting.removeFirst()] : []
        case .latest, .cancel, .drop: return waiting.removeAll()
        }
    }

    // MARK: - Working

    private func startNext() {
        let isMine = lock.locked {
            defer { isStarting = true }
            return !isStarting
        }
        guard isMine else { return }
        while let batch = next() { start(batch) }
    }

    private func next() -> Batch? {
        lock.locked {
            guard batch == nil, !waiting.isEmpty, mayStart else {
                isStarting = false
                return nil
            }
            batch = Batch((0..<min(most, waiting.count)).map { _ in waiting.removeFirst() })
            return batch
        }
    }

    private var mayStart: Bool {
        switch phase {
        case .open, .draining: true
        case .handingOver, .over: false
        }
    }

    private func start(_ batch: Batch) {
        let (surroundings, description) = (surroundings, description)
        let subscription = work(batch.items.map(\.job)).subscribe(
            onNext: { failure in
                batch.failed.insert(failure.place)
                surroundings.fail(failure.error, on: batch.items[failure.place].event)
            },
            onError: { [weak self] error in
                self?.finish(batch)
                for item in batch.items { surroundings.fail(error, on: item.event) }
            },
            onCompleted: { [weak self] in
                self?.finish(batch)
                let done = batch.items.indices.lazy.filter { !batch.failed.contains($0) }.map { batch.items[$0] }
                if let description {
                    for item in done { surroundings.record(done: description(item.job), for: item.event) }
                }
                for item in done { surroundings.finish(item.event) }
            },
            onDisposed: { [weak self] in self?.endWhenNoted(batch) })
        batch.running.setDisposable(subscription)
    }

    /// Begins nothing else before it is noted that the batch is done: a kill repeats one batch at most.
    private func endWhenNoted(_ batch: Batch) {
        let isPending = surroundings.whenNoted { [self] in scheduler.perform { self.ended(batch) } }
        if !isPending { ended(batch) }
    }

    /// Called before anything else: a batch that is cancelled now must not be repeated.
    private func finish(_ batch: Batch) {
        lock.locked { batch.isFinished = true }
    }

    private func ended(_ batch: Batch) {
        let unfinished = batch.isFinished ? [] : batch.items.map(\.event)
        let isEmpty = lock.locked {
            self.batch = nil
            if case .handingOver = phase {} else { droppedCount += unfinished.count }
            return waiting.isEmpty
        }
        if isEmpty { dropRecords.over() }
        endIfDone(unfinished)
        startNext()
    }

    // MARK: - Ending

    func drain(_ done: @escaping @Sendable () -> Void) {
        end(as: .draining(whenOver: done), or: done)
    }

    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        end(as: .handingOver(to: done)) { done([]) }
    }

    /// - Parameter otherwise: called if the queue has ended already.
    private func end(as phase: Phase, or otherwise: () -> Void) {
        let isOpen = lock.locked {
            guard case .open = self.phase else { return false }
            self.phase = phase
            return true
        }
        if isOpen { endIfDone([]) } else { otherwise() }
    }

    private func endIfDone(_ unfinished: [PipelineEvent]) {
        let tell = lock.locked { () -> (@Sendable () -> Void)? in
            guard batch == nil else { return nil }
            switch phase {
            case .draining(let whenOver):
                guard waiting.isEmpty else { return nil }
                phase = .over
                return whenOver
            case .handingOver(let successor):
                phase = .over
                let left = unfinished + waiting.removeAll().map(\.event)
                return { successor(left) }
            case .open, .over: return nil
            }
        }
        guard let tell else { return }
        dropRecords.over()
        tell()
    }

    func dispose() {
        var left: [Item] = []
        let (batch, tell) = lock.locked { () -> (Batch?, (@Sendable () -> Void)?) in
            let batch = isCancellable ? self.batch : nil
            // The waiting events are still handed over, when the running batch has stopped.
            if case .handingOver = phase { return (batch, nil) }
            left = waiting.removeAll()
            droppedCount += left.count
            guard case .draining(let whenOver) = phase else {
                phase = .over
                return (batch, nil)
            }
            // A batch that cannot be cancelled ends by itself.
            if self.batch != nil, !isCancellable { return (nil, nil) }
            phase = .over
            return (batch, whenOver)
        }
        batch?.running.dispose()
        dropRecords.over()
        tell?()
    }
}
