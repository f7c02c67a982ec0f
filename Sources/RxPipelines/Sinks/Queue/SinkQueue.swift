import RxEngine

// Unchecked: the lock guards all mutable state.
/// A sink with slow work: a queue, and one batch at a time that is worked on off the pipeline's scheduler.
final class SinkQueue: OpenSink, @unchecked Sendable {
    private let context: SinkContext
    private let rules: QueuePolicy
    private let most: Int
    private let endsEachJob: Bool
    private let blocks: Bool
    private let check: @Sendable (PipelineEvent) throws -> Void
    /// Prepares the jobs of a batch, and makes its work; `nil` if it is cancelled meanwhile.
    private let work: @Sendable (SinkBatch) -> Observable<Never>?
    private let dropRecords: DropRecords
    private let scheduler: any SchedulerType
    private let lock = Lock()
    // Below: guarded by the lock.
    private var waiting = RingBuffer<PipelineEvent>()
    private var batch: Running?
    /// Whether a thread is in ``startAll()``, or about to be: starts must not nest.
    private var isStarting = false
    /// Whether that thread is starting the batch: it cancels the batch itself if it is to be cancelled meanwhile.
    private var isBeingStarted = false
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

    private struct Running {
        let batch: SinkBatch
        let work = SingleAssignmentDisposable()
    }

    /// - Parameters:
    ///   - most: the largest batch.
    ///   - endsEachJob: whether the work ends every job by itself, also when it is cancelled. Otherwise a batch of several
    ///     events cannot be cancelled: nobody would know which of them are done.
    ///   - blocks: whether the work is done before `workOff` returns, so that it is called on the sink's own scheduler.
    ///   - prepare: makes the job for an event, when its turn has come.
    ///   - workOff: does the jobs of a batch when it is subscribed to, on the given scheduler or on its own. Jobs that have
    ///     not ended when it ends are done, or have failed with its error.
    ///   - done: describes what was done, for the record that connects an event with its effect.
    init<Job: Sendable>(
        _ context: SinkContext, _ rules: QueuePolicy, most: Int, endsEachJob: Bool = false, blocks: Bool = false,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        workOff: @escaping @Sendable (SinkBatch, [SinkJob<Job>], any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.context = context
        let rules = context.isSpooled ? QueuePolicy() : rules
        self.rules = rules
        self.most = most
        self.endsEachJob = endsEachJob
        self.blocks = blocks
        let scheduler = context.host.makeScheduler("rx.\(context.pipeline).\(context.sink)")
        self.scheduler = scheduler
        check = { _ = try prepare($0) }
        work = { batch in
            let jobs = batch.jobs(prepare, done)
            if batch.isCancelled { return nil }
            let work = workOff(batch, jobs, scheduler)
            return context.account.map { work.charged(to: $0) } ?? work
        }
        dropRecords = DropRecords(context, rules)
    }

    /// A queue whose batches are single events.
    convenience init<Job: Sendable>(
        _ context: SinkContext, _ rules: QueuePolicy,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        work: @escaping @Sendable (Job, any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.init(
            context, rules, most: 1, prepare: prepare,
            workOff: { _, jobs, scheduler in jobs.first.map { work($0.job, scheduler) } ?? .empty() }, done: done)
    }

    deinit {
        if isCancellable { batch?.work.dispose() }
        // A line that is still being written, such as by a process that is ending, holds nothing of the pipeline.
        if endsEachJob { batch?.batch.abandon() }
    }

    private var isCancellable: Bool { most == 1 || endsEachJob }

    var queued: Int { lock.locked { waiting.count + (batch?.batch.count ?? 0) } }
    var dropped: Int { lock.locked { droppedCount } }
    var unfinished: [PipelineEvent] {
        lock.locked { (batch?.batch.unfinished ?? []) + waiting.map { $0 } }
    }

    // MARK: - Enqueueing

    func take(_ event: PipelineEvent) throws -> Bool {
        // An event that cannot be worked on takes the place of no other.
        if lock.locked({ isFull && !dropsNew }) { try check(event) }
        // Released outside the lock: an event's deinitialisers may do anything.
        var dropped: [PipelineEvent] = []
        let (isOpen, cancelled, count) = lock.locked { () -> (Bool, Running?, Int) in
            guard case .open = phase else {
                droppedCount += 1
                return (false, nil, 0)
            }
            dropped = put(event)
            droppedCount += dropped.count
            return (true, rules.overlap == .cancel ? batch : nil, waiting.count)
        }
        guard isOpen else { return false }
        // Another one has taken their place: they are not delivered to this sink again, and never after that one.
        for event in dropped { context.finish(event) }
        for event in cancelled?.batch.unfinished ?? [] { context.finish(event) }
        dropRecords.dropped(dropped.count)
        dropRecords.added(to: count)
        cancelled?.work.dispose()
        startNext(here: !blocks)
        return false
    }

    /// Whether an event that comes now is dropped, or leads to another being dropped or cancelled.
    private var isFull: Bool {
        rules.overlap == .queue ? waiting.count >= rules.capacity : batch != nil || !waiting.isEmpty
    }

    /// Whether it is the event that comes which is dropped.
    private var dropsNew: Bool {
        rules.overlap == .drop || rules.overlap == .queue && rules.overflow == .dropNewest
    }

    /// Enqueues an event as the policy says.
    ///
    /// - Returns: the dropped events.
    private func put(_ event: PipelineEvent) -> [PipelineEvent] {
        if isFull, dropsNew { return [event] }
        defer { waiting.append(event) }
        switch rules.overlap {
        case .queue: return isFull ? [waiting.removeFirst()] : []
        case .latest, .cancel, .drop: return waiting.removeAll()
        }
    }

    // MARK: - Working

    /// Starts what waits, if nothing is under way.
    ///
    /// - Parameter isHere: whether on this thread; otherwise on the sink's scheduler. Jobs are prepared there, not by
    ///   whoever ends a batch and has other work to do.
    private func startNext(here isHere: Bool) {
        let isMine = lock.locked {
            guard !isStarting, isReady else { return false }
            isStarting = true
            return true
        }
        guard isMine else { return }
        if isHere { startAll() } else { scheduler.perform { [weak self] in self?.startAll() } }
    }

    private func startAll() {
        while let batch = next() { start(batch) }
    }

    private func next() -> Running? {
        lock.locked {
            guard isReady else {
                isStarting = false
                return nil
            }
            let events = (0..<min(most, waiting.count)).map { _ in waiting.removeFirst() }
            batch = Running(batch: SinkBatch(events, context) { [weak self] in self?.endWhenNoted() })
            isBeingStarted = true
            return batch
        }
    }

    /// Whether a batch may be started.
    private var isReady: Bool {
        guard batch == nil, !waiting.isEmpty else { return false }
        switch phase {
        case .open, .draining: return true
        case .handingOver, .over: return false
        }
    }

    private func start(_ running: Running) {
        let (batch, endsEachJob) = (running.batch, endsEachJob)
        guard let work = work(batch) else {
            lock.locked { isBeingStarted = false }
            batch.giveBackRest()
            return batch.endWork()
        }
        let subscription = work.subscribe(
            onError: { batch.failRest($0) }, onCompleted: { batch.finishRest() },
            onDisposed: {
                if !endsEachJob { batch.giveBackRest() }
                batch.endWork()
            })
        running.work.setDisposable(subscription)
        lock.locked { isBeingStarted = false }
        if batch.isCancelled, isCancellable { running.work.dispose() }
    }

    /// Begins nothing else before it is noted what of the batch is done: a kill repeats one batch at most.
    private func endWhenNoted() {
        let spools = lock.locked { batch }?.batch.spools ?? []
        let isPending = context.whenNoted(by: spools) { [self] in
            scheduler.perform { self.ended(isOnScheduler: true) }
        }
        if !isPending { ended(isOnScheduler: false) }
    }

    private func ended(isOnScheduler: Bool) {
        // It is the queue's own until then.
        let unfinished = lock.locked { batch }?.batch.unfinished ?? []
        let isEmpty = lock.locked {
            self.batch = nil
            if case .handingOver = phase {} else { droppedCount += unfinished.count }
            return waiting.isEmpty
        }
        if isEmpty { dropRecords.over() }
        endIfDone(unfinished)
        startNext(here: isOnScheduler)
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
        let callback = lock.locked { () -> (@Sendable () -> Void)? in
            guard batch == nil else { return nil }
            switch phase {
            case .draining(let whenOver):
                guard waiting.isEmpty else { return nil }
                phase = .over
                return whenOver
            case .handingOver(let successor):
                phase = .over
                let left = unfinished + waiting.removeAll()
                return { successor(left) }
            case .open, .over: return nil
            }
        }
        guard let callback else { return }
        dropRecords.over()
        callback()
    }

    func dispose() {
        var left: [PipelineEvent] = []
        let (batch, callback) = lock.locked { () -> (Running?, (@Sendable () -> Void)?) in
            self.batch?.batch.cancel()
            let batch = isCancellable && !isBeingStarted ? self.batch : nil
            // The waiting events are still handed over, when the running batch has stopped.
            if case .handingOver = phase { return (batch, nil) }
            left = waiting.removeAll()
            droppedCount += left.count
            guard case .draining(let whenOver) = phase else {
                phase = .over
                return (batch, nil)
            }
            // A batch that cannot be cancelled ends by itself, and so does one that is being started.
            if self.batch != nil, !isCancellable || isBeingStarted { return (nil, nil) }
            phase = .over
            return (batch, whenOver)
        }
        batch?.work.dispose()
        dropRecords.over()
        callback?()
    }
}
