import RxEngine
import Synchronization

// Unchecked: what changes is behind the lock.
/// A sink whose work takes long: away from the pipeline's scheduler, one piece at a time, behind a bounded queue.
final class WorkLine<Job: Sendable>: OpenSink, @unchecked Sendable {
    private typealias Item = (event: PipelineEvent, job: Job)

    private let prepare: @Sendable (PipelineEvent) throws -> Job
    private let mayWait: Bool
    private let tally = WorkTally()
    private let dropRecords: DropRecords
    private let items = PublishSubject<(event: PipelineEvent, job: Job)>()
    private let running = SerialDisposable()
    private let lock = Lock()
    private var isOver = false
    private var done: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - prepare: makes what is to be done of an event, at once.
    ///   - work: does it, when it is subscribed to, on the scheduler that it is given or wherever it likes. A failure
    ///     is recorded, and concerns this event alone.
    ///   - done: says what was done, for a record, so that an event can be followed to what it led to.
    init(
        _ surroundings: SinkSurroundings, _ rules: WorkRules,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        work: @escaping @Sendable (Job, any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.prepare = prepare
        mayWait = rules.overlap != .drop
        let dropRecords = DropRecords(surroundings, rules, tally.overflowed)
        self.dropRecords = dropRecords
        let scheduler = surroundings.host.makeScheduler("rx.\(surroundings.pipeline).\(surroundings.sink)")
        let piece: @Sendable (Item, Turnstile?) -> Observable<Never> = { [tally] item, turnstile in
            tally.start()
            let isFinished = FirstTime()
            let work = work(item.job, scheduler)
                .do(onCompleted: { if let done { surroundings.record(done: done(item.job), for: item.event) } })
                .catch { error in
                    surroundings.record(error, on: item.event)
                    return .empty()
                }
                .do(
                    onCompleted: {
                        surroundings.finish(item.event)
                        isFinished.note()
                    },
                    onDispose: {
                        tally.end(isFinished: isFinished.hasCome)
                        if tally.queued == 0 { dropRecords.over() }
                        turnstile?.leave()
                    })
            return surroundings.account.map { work.charged(to: $0) } ?? work
        }
        let all = Self.flow(items, rules, tally.overflowed, piece)
        running.disposable = all.subscribe(onDisposed: { [weak self, tally, dropRecords] in
            tally.close()
            dropRecords.over()
            self?.over()
        })
    }

    deinit {
        running.dispose()
    }

    private static func flow(
        _ items: Observable<Item>, _ rules: WorkRules, _ overflowed: DropCount,
        _ piece: @escaping @Sendable (Item, Turnstile?) -> Observable<Never>
    ) -> Observable<Never> {
        switch rules.overlap {
        case .drop: return items.flatMapFirst { piece($0, nil) }
        case .cancel: return items.flatMapLatest { piece($0, nil) }
        case .queue, .latest:
            let turnstile = Turnstile()
            let (room, overflow) =
                rules.overlap == .latest ? (1, OverflowRule.latest) : (rules.capacity, rules.overflow)
            return items.observe(on: turnstile, bufferSize: room, overflow: overflow, drops: overflowed)
                .concatMap { item in
                    turnstile.enter()
                    return piece(item, turnstile)
                }
        }
    }

    var queued: Int { tally.queued }
    var dropped: Int { tally.dropped }

    func take(_ event: PipelineEvent) throws -> Bool {
        let job = try prepare(event)
        let dropped = tally.overflowed.value
        tally.take(mayWait: mayWait) { items.onNext((event, job)) }
        dropRecords.offered(after: dropped)
        return false
    }

    func drain(_ done: @escaping @Sendable () -> Void) {
        let isOver = lock.locked {
            if !self.isOver { self.done = done }
            return self.isOver
        }
        if isOver { done() } else { items.onCompleted() }
    }

    func dispose() {
        running.dispose()
    }

    private func over() {
        let done = lock.locked {
            isOver = true
            return self.done.take()
        }
        done?()
    }
}

/// Whether something has happened.
private final class FirstTime: Sendable {
    private let flag = Atomic(false)

    var hasCome: Bool { flag.load(ordering: .acquiring) }

    func note() {
        flag.store(true, ordering: .releasing)
    }
}
