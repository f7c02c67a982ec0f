import RxEngine

// Unchecked: what changes is behind the lock.
/// A sink whose work takes long: away from the pipeline's scheduler, one piece at a time, behind a queue.
final class WorkLine<Job: Sendable>: OpenSink, @unchecked Sendable {
    private typealias Item = (event: PipelineEvent, job: Job)

    private let surroundings: SinkSurroundings
    private let rules: WorkRules
    private let most: Int
    private let prepare: @Sendable (PipelineEvent) throws -> Job
    private let work: @Sendable ([Job]) -> Observable<Never>
    private let description: (@Sendable (Job) -> String)?
    private let dropRecords: DropRecords
    private let lock = Lock()
    // Below: behind the lock.
    private var waiting = Ring<Item>()
    private var piece: Piece?
    /// Whether a thread sees to those that wait, one after the other, so that none nests in another.
    private var isSeenTo = false
    private var lost = 0
    private var phase = Phase.open

    private enum Phase {
        case open
        /// What waits is still done.
        case draining(whenOver: @Sendable () -> Void)
        /// What waits is left to another.
        case handingOver(to: @Sendable ([PipelineEvent]) -> Void)
        case over
    }

    // Unchecked: what changes is behind the line's lock.
    /// What is done in one go.
    private final class Piece: @unchecked Sendable {
        let items: [Item]
        let running = SingleAssignmentDisposable()
        var isFinished = false

        init(_ items: [Item]) {
            self.items = items
        }
    }

    /// - Parameters:
    ///   - most: for how many events it works in one go, where so many wait.
    ///   - prepare: makes what is to be done of an event, at once.
    ///   - workOff: does it, when it is subscribed to, on the scheduler that it is given or wherever it likes. A failure
    ///     is recorded, and concerns these events alone.
    ///   - done: says what was done, for a record, so that an event can be followed to what it led to.
    init(
        _ surroundings: SinkSurroundings, _ rules: WorkRules, most: Int,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        workOff: @escaping @Sendable ([Job], any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.surroundings = surroundings
        self.rules = rules
        self.most = most
        self.prepare = prepare
        let scheduler = surroundings.host.makeScheduler("rx.\(surroundings.pipeline).\(surroundings.sink)")
        self.work = { jobs in
            let work = workOff(jobs, scheduler)
            return surroundings.account.map { work.charged(to: $0) } ?? work
        }
        description = done
        dropRecords = DropRecords(surroundings, rules)
    }

    /// One that works for one event after the other.
    convenience init(
        _ surroundings: SinkSurroundings, _ rules: WorkRules,
        prepare: @escaping @Sendable (PipelineEvent) throws -> Job,
        work: @escaping @Sendable (Job, any SchedulerType) -> Observable<Never>,
        done: (@Sendable (Job) -> String)? = nil
    ) {
        self.init(
            surroundings, rules, most: 1, prepare: prepare, workOff: { work($0[0], $1) }, done: done)
    }

    deinit {
        if mayCut { piece?.running.dispose() }
    }

    /// Whether what has been begun can be ended in the middle. What is done for many events at once cannot: of which it has
    /// been done nobody would know.
    private var mayCut: Bool { most == 1 }

    var queued: Int { lock.locked { waiting.count + (piece?.items.count ?? 0) } }
    var dropped: Int { lock.locked { lost } }
    var unfinished: [PipelineEvent] {
        lock.locked { (piece?.items ?? []).map(\.event) + waiting.map(\.event) }
    }

    // MARK: - Taking

    func take(_ event: PipelineEvent) throws -> Bool {
        let item = (event, try prepare(event))
        // Let go of outside the lock: much may go with an event.
        var dropped: [Item] = []
        let (isOpen, cancelled) = lock.locked { () -> (Bool, Piece?) in
            guard case .open = phase else {
                lost += 1
                return (false, nil)
            }
            dropped = put(item)
            lost += dropped.count
            return (true, rules.overlap == .cancel ? piece : nil)
        }
        guard isOpen else { return false }
        dropRecords.dropped(dropped.count)
        cancelled?.running.dispose()
        goOn()
        return false
    }

    /// - Returns: what is dropped.
    private func put(_ item: Item) -> [Item] {
        switch rules.overlap {
        case .drop where piece != nil || !waiting.isEmpty: return [item]
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

    private func goOn() {
        let isMine = lock.locked {
            defer { isSeenTo = true }
            return !isSeenTo
        }
        guard isMine else { return }
        while let piece = next() { start(piece) }
    }

    private func next() -> Piece? {
        lock.locked {
            guard piece == nil, !waiting.isEmpty, mayStart else {
                isSeenTo = false
                return nil
            }
            piece = Piece((0..<min(most, waiting.count)).map { _ in waiting.removeFirst() })
            return piece
        }
    }

    private var mayStart: Bool {
        switch phase {
        case .open, .draining: true
        case .handingOver, .over: false
        }
    }

    private func start(_ piece: Piece) {
        let (surroundings, description) = (surroundings, description)
        let subscription = work(piece.items.map(\.job)).subscribe(
            onError: { [weak self] error in
                self?.finish(piece)
                for item in piece.items { surroundings.fail(error, on: item.event) }
            },
            onCompleted: { [weak self] in
                self?.finish(piece)
                if let description {
                    for item in piece.items { surroundings.record(done: description(item.job), for: item.event) }
                }
                for item in piece.items { surroundings.finish(item.event) }
            },
            onDisposed: { [weak self] in self?.ended(piece) })
        piece.running.setDisposable(subscription)
    }

    /// First of all: whoever stops it now must not have it done again.
    private func finish(_ piece: Piece) {
        lock.locked { piece.isFinished = true }
    }

    private func ended(_ piece: Piece) {
        let unfinished = piece.isFinished ? [] : piece.items.map(\.event)
        let isEmpty = lock.locked {
            self.piece = nil
            if case .handingOver = phase {} else { lost += unfinished.count }
            return waiting.isEmpty
        }
        if isEmpty { dropRecords.over() }
        endIfDone(unfinished)
        goOn()
    }

    // MARK: - Ending

    func drain(_ done: @escaping @Sendable () -> Void) {
        end(as: .draining(whenOver: done), or: done)
    }

    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        end(as: .handingOver(to: done)) { done([]) }
    }

    /// - Parameter otherwise: done where it has ended already.
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
            guard piece == nil else { return nil }
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
        let (piece, tell) = lock.locked { () -> (Piece?, (@Sendable () -> Void)?) in
            let piece = mayCut ? self.piece : nil
            // What was to be handed over still is, when what was begun has stopped.
            if case .handingOver = phase { return (piece, nil) }
            left = waiting.removeAll()
            lost += left.count
            defer { phase = .over }
            if case .draining(let whenOver) = phase { return (piece, whenOver) }
            return (piece, nil)
        }
        piece?.running.dispose()
        dropRecords.over()
        tell?()
    }
}
