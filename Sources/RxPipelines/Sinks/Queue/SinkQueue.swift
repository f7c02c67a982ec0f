import RxEngine

// Unchecked: the lock guards all mutable state.
/// A sink with slow work: a queue, and one running batch at a time, whose work runs off the pipeline's scheduler.
final class SinkQueue: OpenSink, @unchecked Sendable {
    private let context: SinkContext
    private let policy: QueuePolicy
    private let maximum: Int
    private let endsEachJob: Bool
    private let blocks: Bool
    private let check: @Sendable (PipelineEvent) throws -> Void
    /// Prepares the jobs of a batch, and makes its work; `nil` if the batch is cancelled meanwhile.
    private let work: @Sendable (SinkBatch) -> Observable<Never>?
    private let dropRecords: DropRecorder
    private let scheduler: any SchedulerType
    /// The scheduler of the work and of the pauses between its attempts.
    private let retryScheduler: RetryScheduler
    private let lock = Lock()
    // Below: guarded by the lock.
    private var waiting = EventBuffer()
    private var batch: RunningBatch?
    private var startState = StartState.idle
    private var droppedCount = 0
    private var phase = Phase.open

    /// Whether the queue takes events, or how it ends.
    private enum Phase {
        case open
        /// Waiting events are still processed.
        case draining(whenOver: @Sendable () -> Void)
        /// Waiting events are passed to the replacing sink.
        case handingOver(to: @Sendable ([PipelineEvent]) -> Void)
        case over
    }

    /// The thread that starts batches. There is one at most: starts must not nest.
    private enum StartState {
        /// No thread starts batches.
        case idle
        /// A thread is in ``startAll()``, or about to be.
        case active
        /// The thread is starting the work of the batch. If the batch is cancelled meanwhile, the thread disposes of
        /// that work.
        case inBatch
    }

    /// The batch that is being processed, and the disposable that cancels its work.
    private struct RunningBatch {
        let batch: SinkBatch
        let work = SingleAssignmentDisposable()
    }

    /// - Parameters:
    ///   - context: the context of the sink.
    ///   - policy: how the queue treats events that arrive while a batch is running.
    ///   - maximum: the largest number of events in a batch.
    ///   - endsEachJob: whether the work ends every job by itself, even when it is cancelled. Otherwise a batch of
    ///     several events cannot be cancelled, since it would be unknown which of them are done.
    ///   - blocks: whether `batchWork` itself does the work, so that it must be called on the sink's own scheduler.
    ///   - prepare: makes the job for an event, called when its batch starts.
    ///   - batchWork: makes the work of a batch, which does the jobs on the given scheduler or on its own. Jobs that
    ///     have not ended when the work ends are done, or have failed with its error.
    ///   - size: measures a job in bytes: a batch of large jobs ends early.
    ///   - done: describes a finished job, for the record that connects the event with its effect, see
    ///     ``SinkSettings/recordsAll``.
    init<Job: Sendable>(
        _ context: SinkContext, _ policy: QueuePolicy, maximum: Int, endsEachJob: Bool = false, blocks: Bool = false,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        batchWork: @escaping @Sendable (SinkBatch, [SinkJob<Job>], RetryScheduler) -> Observable<Never>,
        size: @escaping @Sendable (Job) -> Int = { _ in 0 }, done: (@Sendable (Job) -> String)? = nil
    ) {
        self.context = context
        let policy = context.isSpooled ? QueuePolicy() : policy
        self.policy = policy
        self.maximum = maximum
        self.endsEachJob = endsEachJob
        self.blocks = blocks
        let scheduler = context.host.makeScheduler("rx.\(context.pipeline).\(context.sink)")
        self.scheduler = scheduler
        let retryScheduler = RetryScheduler(of: scheduler) { context.activity?.waits(seconds: $0, at: context.sink) }
        self.retryScheduler = retryScheduler
        check = { _ = try prepare($0) }
        work = { batch in
            let jobs = batch.jobs(prepare, context.recordsAll ? done : nil, size: size)
            if batch.isCancelled { return nil }
            retryScheduler.onRetry = { [weak batch] in context.willRetry($0, on: batch?.unfinished.first) }
            let work = batchWork(batch, jobs, retryScheduler)
            return context.account.map { work.charged(to: $0) } ?? work
        }
        dropRecords = DropRecorder(context, policy)
    }

    /// A queue whose batches are single events.
    convenience init<Job: Sendable>(
        _ context: SinkContext, _ policy: QueuePolicy,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        work: @escaping @Sendable (Job, RetryScheduler) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.init(
            context, policy, maximum: 1, prepare: prepare,
            batchWork: { _, jobs, scheduler in jobs.first.map { work($0.job, scheduler) } ?? .empty() }, done: done)
    }

    deinit {
        if isCancellable { batch?.work.dispose() }
        // A line may still be being written while the process ends: it must retain nothing of the pipeline.
        if endsEachJob { batch?.batch.abandon() }
    }

    private var isCancellable: Bool { maximum == 1 || endsEachJob }

    var queued: Int { lock.locked { waiting.count + (batch?.batch.count ?? 0) } }
    var dropped: Int { lock.locked { droppedCount } }
    var unfinished: [PipelineEvent] {
        lock.locked { (batch?.batch.unfinished ?? []) + waiting.all }
    }

    // MARK: - Enqueueing

    func receive(_ event: PipelineEvent) throws -> Bool {
        let memory = memory(of: event)
        // An event whose job cannot be prepared must not displace another one.
        if lock.locked({ isFull(for: memory) && !dropsNew }) { try check(event) }
        // Released outside the lock: an event's deinitializers may do anything.
        var dropped: [PipelineEvent] = []
        let (isOpen, cancelled, count) = lock.locked { () -> (Bool, RunningBatch?, Int) in
            guard case .open = phase else {
                droppedCount += 1
                return (false, nil, 0)
            }
            dropped = put(event, memory)
            droppedCount += dropped.count
            return (true, policy.overlap == .cancel ? batch : nil, waiting.count)
        }
        guard isOpen else { return false }
        // Displaced events are finished: they must not be delivered again, after the event that displaced them.
        context.drop(dropped, because: policy.dropReason)
        dropRecords.dropped(dropped.count, waiting: count)
        dropRecords.added(to: count)
        if let cancelled { drop(cancelled, because: policy.dropReason, noted: policy.dropReason) }
        startNext(here: !blocks)
        return false
    }

    /// Drops the events of a batch that have not ended, and cancels its work.
    ///
    /// They are finished before the work is disposed of: the next batch may begin then.
    ///
    /// - Parameters:
    ///   - running: the batch.
    ///   - reason: why the events are dropped.
    ///   - note: why those that were to be tried again are not.
    /// - Returns: the number of events.
    @discardableResult
    private func drop(_ running: RunningBatch, because reason: String, noted note: String) -> Int {
        let events = running.batch.takeRest()
        lock.locked { droppedCount += events.count }
        running.batch.cancel()
        context.drop(events, because: reason)
        context.giveUp(on: events, because: note)
        running.work.dispose()
        return events.count
    }

    /// Whether another event would be dropped, or would cause another one to be dropped or cancelled.
    private func isFull(for memory: Int) -> Bool {
        guard policy.overlap == .queue else { return batch != nil || !waiting.isEmpty }
        // A single event may be larger than the limit, if it waits alone.
        return waiting.count >= policy.capacity || !waiting.isEmpty && memory > policy.memory - waiting.memory
    }

    /// Whether a full queue drops the new event.
    private var dropsNew: Bool {
        policy.overlap == .drop || policy.overlap == .queue && policy.overflow == .dropNewest
    }

    /// Enqueues an event as the policy says.
    ///
    /// - Returns: the dropped events.
    private func put(_ event: PipelineEvent, _ memory: Int) -> [PipelineEvent] {
        if isFull(for: memory), dropsNew { return [event] }
        defer { waiting.append(event, memory) }
        guard policy.overlap == .queue else { return waiting.removeAll() }
        var dropped: [PipelineEvent] = []
        while isFull(for: memory) { dropped.append(waiting.removeFirst()) }
        return dropped
    }

    // MARK: - Working

    /// Starts the next batch, if events wait and no batch is running.
    ///
    /// - Parameter isHere: whether to start it on this thread; otherwise on the sink's scheduler. A thread that ends a
    ///   batch has other work to do than to prepare the next jobs.
    private func startNext(here isHere: Bool) {
        let isMine = lock.locked {
            guard startState == .idle, isReady else { return false }
            startState = .active
            return true
        }
        guard isMine else { return }
        if isHere { startAll() } else { scheduler.perform { [weak self] in self?.startAll() } }
    }

    private func startAll() {
        while let batch = next() { start(batch) }
    }

    private func next() -> RunningBatch? {
        lock.locked {
            guard isReady else {
                startState = .idle
                return nil
            }
            let events = (0..<min(maximum, waiting.count)).map { _ in waiting.removeFirst() }
            batch = RunningBatch(batch: SinkBatch(events, context) { [weak self] in self?.endWhenNoted() })
            startState = .inBatch
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

    private func start(_ running: RunningBatch) {
        let (batch, endsEachJob) = (running.batch, endsEachJob)
        // Also in place of the time that a sink which this one replaces has noted.
        context.activity?.waits(seconds: 0, at: context.sink)
        guard let work = work(batch) else {
            lock.locked { startState = .active }
            batch.cancelRest()
            return batch.endWork()
        }
        putBackUnprepared(of: batch)
        let subscription = work.subscribe(
            onError: { batch.failRest($0) }, onCompleted: { batch.finishRest() },
            onDisposed: {
                if !endsEachJob { batch.cancelRest() }
                batch.endWork()
            })
        running.work.setDisposable(subscription)
        lock.locked { startState = .active }
        if batch.isCancelled, isCancellable { running.work.dispose() }
    }

    /// Puts the events that the batch has no room for back into the queue.
    private func putBackUnprepared(of batch: SinkBatch) {
        let lost = lock.locked { () -> [PipelineEvent] in
            let events = batch.removeUnprepared()
            let isKept =
                switch phase {
                case .open, .draining: !batch.isCancelled
                case .handingOver: true
                case .over: false
                }
            guard isKept else {
                droppedCount += events.count
                return events
            }
            waiting.putBack(events.map { ($0, memory(of: $0)) })
            return []
        }
        // Released outside the lock.
        withExtendedLifetime(lost) {}
    }

    /// The memory of an event in the queue, in bytes; 0 if it is not limited.
    private func memory(of event: PipelineEvent) -> Int { policy.memory == .max ? 0 : event.value.memory }

    /// Ends the batch when its progress is noted. No other batch begins before that: a kill repeats one batch at most.
    private func endWhenNoted() {
        let spools = lock.locked { batch }?.batch.spools ?? []
        let isPending = context.whenNoted(by: spools) { [self] in
            scheduler.perform { self.ended(isOnScheduler: true) }
        }
        if !isPending { ended(isOnScheduler: false) }
    }

    private func ended(isOnScheduler: Bool) {
        // Read before the batch is removed: until then these events belong to the batch.
        let unfinished = lock.locked { batch }?.batch.unfinished ?? []
        let isEmpty = lock.locked {
            self.batch = nil
            if case .handingOver = phase {} else { droppedCount += unfinished.count }
            return waiting.isEmpty
        }
        if isEmpty { dropRecords.endRun() }
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

    /// Leaves the open phase.
    ///
    /// - Parameters:
    ///   - phase: the next phase.
    ///   - otherwise: called if the queue is no longer open.
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
            case .handingOver(let onHandover):
                phase = .over
                let left = unfinished + waiting.removeAll()
                return { onHandover(left) }
            case .open, .over: return nil
            }
        }
        guard let callback else { return }
        dropRecords.endRun()
        callback()
    }

    func endPauses() { retryScheduler.endPauses() }

    func drop(_ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void) {
        // An event whose next attempt waits for its time is not being worked on.
        let (dropped, paused) = lock.locked { () -> ([PipelineEvent], RunningBatch?) in
            let dropped = waiting.remove { isMatching($0.id) }
            droppedCount += dropped.count
            guard case .open = phase, startState == .idle, let batch, isCancellable, retryScheduler.isWaiting,
                batch.batch.unfinished.allSatisfy({ isMatching($0.id) })
            else { return (dropped, nil) }
            return (dropped, batch)
        }
        context.drop(dropped, because: SinkContext.onRequest)
        context.giveUp(on: dropped, because: SinkContext.wasDropped)
        let stopped = paused.map { drop($0, because: SinkContext.onRequest, noted: SinkContext.wasDropped) } ?? 0
        // A handover is over only with the unfinished events of the batch.
        if lock.locked({ if case .draining = phase { true } else { false } }) { endIfDone([]) }
        done(.success(dropped.count + stopped))
    }

    func dispose() {
        var left: [PipelineEvent] = []
        let (batch, callback) = lock.locked { () -> (RunningBatch?, (@Sendable () -> Void)?) in
            self.batch?.batch.cancel()
            let batch = isCancellable && startState != .inBatch ? self.batch : nil
            // The waiting events are still handed over after the running batch has stopped.
            if case .handingOver = phase { return (batch, nil) }
            left = waiting.removeAll()
            droppedCount += left.count
            guard case .draining(let whenOver) = phase else {
                phase = .over
                return (batch, nil)
            }
            // A batch that cannot be cancelled, or that is being started, ends by itself.
            if self.batch != nil, !isCancellable || startState == .inBatch { return (nil, nil) }
            phase = .over
            return (batch, whenOver)
        }
        batch?.work.dispose()
        if lock.locked({ if case .over = phase { true } else { false } }) { batch?.batch.endHolds() }
        dropRecords.endRun()
        callback?()
    }
}
