import FoundationEssentials
import RxEngine
import RxJSON
import RxLinux

// Unchecked: used on one serial scheduler, except for the state that the lock guards and for ``unsettled``, which has a
// lock of its own.
/// Turns a source's values into numbered events. It holds them back until all subscribers have subscribed, and while
/// `inFlight` is reached.
final class Intake: @unchecked Sendable {
    /// The path of the position's cell.
    static let positionPath = "position"

    let unsettled: UnsettledEventTable
    private let source: String
    private let scheduler: any SchedulerType
    private let policy: BackpressurePolicy
    /// Whether the source's values may be large.
    private let hasLargeValues: Bool
    private let stalls: StallRecorder
    /// Called when an event is still unsettled after its emission.
    private let onLeft: @Sendable () -> Void
    /// The position of the last accepted value. It is part of the source's state, so that a snapshot has it together
    /// with the state of the steps.
    private let positions: StateCell<JSON?>
    private let onCaughtUp: @Sendable () -> Void
    /// The intake that this one replaces.
    private weak let replaced: Intake?
    /// The id of this run of the source.
    private let run: String
    private let sequence = SequenceCounter()
    /// Numbers the events of all sources of the component.
    private let accepted: SequenceCounter
    private var phase = Phase.waiting
    /// Whether the source has caught up while some of its values may not have become events yet.
    private var isEndOfRepetitionsDue = false
    private var running: (any Disposable)?
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The subscriber that receives the events; `nil` without a subscription. Disposing of the graph removes it, on any
    /// thread.
    private var sink: Sink<PipelineEvent>?
    /// Events from before ``open()``, and redelivered events.
    private var waiting: Queue<Notification>
    private var pending: PendingValues
    private var pendingChanges = 0
    private var repetitions: RepetitionFilter
    /// The intake that is to replace this one. Its source reads the same values meanwhile.
    private weak var replacement: Intake?
    /// The names of the values that this intake has received since it has a replacement.
    private var namesSinceReplacement: Set<String> = []
    /// The names that the replaced intake had received, except those that this one has received since, too.
    private var namesToSkip: Set<String> = []
    /// The largest number of names that the next intake takes over: most belong to values that are not emitted again.
    private static let maximumSkipped = 100_000

    /// Whether the intake passes events on.
    private enum Phase {
        /// Some subscribers have yet to subscribe, or the replaced intakes have yet to stop.
        case waiting
        case open
        case stopped(wasOpen: Bool)

        var isOpen: Bool { if case .open = self { true } else { false } }
        var isStopped: Bool { if case .stopped = self { true } else { false } }
        var isWaiting: Bool { if case .waiting = self { true } else { false } }
        /// Whether the intake is or was open.
        var hasOpened: Bool { if case .stopped(let wasOpen) = self { wasOpen } else { isOpen } }
    }

    /// A notification that waits to be emitted: an event or the source's completion.
    private enum Notification {
        case event(PipelineEvent)
        case completed

        var isEvent: Bool { event != nil }
        var event: PipelineEvent? { if case .event(let event) = self { event } else { nil } }
        /// See ``UnsettledEvent/order``.
        var order: Int? { (event?.delivery as? EventDelivery)?.order }
    }

    /// - Parameters:
    ///   - source: the name of the source.
    ///   - scheduler: the scheduler of the component.
    ///   - limit: the value of `inFlight`.
    ///   - policy: the behavior of the source while `inFlight` is reached.
    ///   - memoryLimit: the memory that unsettled values may take before the source waits, in bytes.
    ///   - hasLargeValues: whether the source's values may be large.
    ///   - events: the events to redeliver.
    ///   - onProgress: called when a sink has finished, or failed on, an event that may be delivered again.
    ///   - record: writes a record about the source.
    ///   - onLeft: called when an event is still unsettled after its emission.
    ///   - positions: the cell of the position, with the position to resume from.
    ///   - accepted: numbers the events of all sources of the component.
    ///   - finished: the progress of sinks since the snapshot with that position, by the events' ids.
    ///   - onCaughtUp: called when the source has emitted everything that the previous process may have emitted.
    ///   - taps: the observers of settled events.
    ///   - replaced: the intake that this one replaces.
    init(
        _ source: String, on scheduler: any SchedulerType, limit: Int, backpressure policy: BackpressurePolicy,
        memoryLimit: Int = UnsettledEventTable.defaultMemoryLimit, hasLargeValues: Bool = false,
        redelivering events: [UnsettledEvent],
        onProgress: @escaping @Sendable (UnsettledEvent) -> Void,
        record: @escaping @Sendable (Priority, String, (any Error)?) -> Void,
        onLeft: @escaping @Sendable () -> Void = {}, positions: StateCell<JSON?> = StateCell(nil, .optionalValue),
        accepted: SequenceCounter = SequenceCounter(from: 1), finished: [String: SinkProgress] = [:],
        onCaughtUp: @escaping @Sendable () -> Void = {},
        taps: TapRegistry = TapRegistry(), inPlaceOf replaced: Intake? = nil
    ) {
        self.source = source
        self.scheduler = scheduler
        self.policy = policy
        self.hasLargeValues = hasLargeValues
        stalls = StallRecorder(record)
        self.onLeft = onLeft
        self.positions = positions
        self.onCaughtUp = onCaughtUp
        self.replaced = replaced
        self.accepted = accepted
        run = RunID.make(on: scheduler)
        unsettled = UnsettledEventTable(limit: limit, memoryLimit: memoryLimit, onProgress: onProgress, taps: taps)
        pending = PendingValues(policy)
        repetitions =
            replaced.map { other in other.lock.locked { other.repetitions } }
            ?? RepetitionFilter(finished, redelivering: events, isCatchingUp: positions.value != nil)
        let accepted = events.compactMap { [unsettled] in unsettled.accept($0) }
        waiting = Queue(accepted.map { .event($0) })
        unsettled.whenBelowLimit { [weak self] in
            guard let self else { return }
            scheduler.perform { self.emitPending() }
        }
        if let replaced { replaced.lock.locked { (replaced.replacement, replaced.namesSinceReplacement) = (self, []) } }
    }

    /// A counter that grows with every change.
    var version: Int { unsettled.version + lock.locked { pendingChanges } }

    /// Changes `inFlight` and the memory that unsettled values may take before the source waits.
    func setLimit(_ limit: Int, memoryLimit: Int) { unsettled.setLimit(limit, memoryLimit: memoryLimit) }

    /// The number of unsettled events, pending values included.
    var count: Int { unsettled.count + lock.locked { pending.count } }

    /// The unsettled events, pending values included.
    var all: [UnsettledEvent] { unsettled.all + pendingEvents }

    /// ``all`` for a snapshot, which contains them from now on.
    var captured: [UnsettledEvent] { unsettled.captured + pendingEvents }

    private var pendingEvents: [UnsettledEvent] {
        let (pending, first) = lock.locked { (self.pending.all, sequence.upcoming) }
        let order = Int(accepted.upcoming)
        return pending.enumerated().map {
            UnsettledEvent(event(first + UInt64($0), $1.name), $1.value, order: order + $0)
        }
    }

    /// The progress of sinks with events that the source has not emitted again yet, by the events' ids.
    var finished: [String: SinkProgress] { lock.locked { repetitions.finished } }

    /// Takes over the waiting events and pending values of the intake that this one replaces, which has stopped. They
    /// precede all events of this one.
    private func takeOver(from other: Intake) {
        let (values, events, read) = other.lock.locked {
            defer {
                (other.pending, other.waiting, other.namesSinceReplacement) = (PendingValues(other.policy), [], [])
            }
            // The names that the other intake had yet to skip belong to values that may be emitted again here.
            let isTooMany = other.namesToSkip.count > Self.maximumSkipped
            return (
                other.pending.all, other.waiting, other.namesSinceReplacement.union(isTooMany ? [] : other.namesToSkip)
            )
        }
        if positions.value == nil { positions.value = other.position }
        let first = lock.locked { waiting.lazy.compactMap(\.order).first }
        let inherited = values.compactMap { makeEvent(of: $0, before: first) }
        // Both sources have read the values since this intake subscribed, in any order. The dropped events are released
        // outside the lock.
        let repeated = lock.locked { () -> Queue<Notification> in
            let own = waiting
            namesToSkip = read
            let left = own.filter { $0.event.map { namesToSkip.remove($0.origin.run) == nil } ?? true }
            waiting = Queue(events.filter(\.isEvent) + inherited.map { .event($0) } + left)
            pending.removeAll { name in namesToSkip.remove(name) != nil }
            return own
        }
        withExtendedLifetime(repeated) {}
    }

    /// The position to resume from: that of the last accepted value, or else that of the replaced intake.
    var position: JSON? { positions.value ?? replaced?.position }

    /// Sets the position after which the source starts.
    func begin(at position: JSON) {
        positions.value = position
    }

    /// Called when the source has emitted everything that the previous process may have emitted.
    func catchUp() {
        isEndOfRepetitionsDue = true
        endRepetitions()
    }

    /// Stops recognizing repeated events once the source has caught up and all of its values have become events.
    private func endRepetitions() {
        guard isEndOfRepetitionsDue, phase.hasOpened || replaced == nil, lock.locked({ pending.isEmpty }) else {
            return
        }
        isEndOfRepetitionsDue = false
        lock.locked { repetitions.end() }
        onCaughtUp()
    }

    /// Subscribes to the source's values and emits them to `sink` as events.
    func run(_ values: Observable<SourceValue>, into sink: Sink<PipelineEvent>) -> any Disposable {
        if phase.isStopped { return Disposables.create() }
        lock.locked { self.sink = sink }
        let running = values.subscribe(
            onNext: { self.accept($0) }, onError: { self.fail($0) }, onCompleted: { self.enqueue(.completed) })
        // Scheduled, so that other subscribers of the current scheduler task come first.
        if phase.isOpen { scheduler.perform { self.emitAll() } }
        let identity = ObjectIdentifier(sink)
        self.running = running
        return Disposables.create(running, Disposables.create { self.detachSink(identity) })
    }

    /// Rejects new events from now on.
    func close() {
        unsettled.close()
        stalls.ended()
    }

    /// Stops the source: another intake replaces this one, or the source was removed. Events in flight may finish.
    func stop() {
        phase = .stopped(wasOpen: phase.hasOpened)
        detachSink()
        running?.dispose()
        running = nil
        stalls.ended()
    }

    /// Removes the subscriber.
    ///
    /// - Parameter identity: the identity that the subscriber must have; `nil` for any.
    /// - Returns: the subscriber, so that the caller releases it outside the lock.
    @discardableResult
    private func detachSink(_ identity: ObjectIdentifier? = nil) -> Sink<PipelineEvent>? {
        lock.locked { identity == nil || sink.map({ ObjectIdentifier($0) }) == identity ? sink.take() : nil }
    }

    /// Opens the intakes of a component when all subscribers have subscribed and the replaced intakes have stopped.
    /// Waiting events of all of them are emitted in the order in which they were accepted.
    static func open(_ intakes: [Intake]) {
        for intake in intakes where intake.phase.isWaiting { intake.replaced.map { intake.takeOver(from: $0) } }
        let waiting = intakes.flatMap { intake in
            let orders = intake.lock.locked { intake.waiting.compactMap(\.order) }
            return orders.map { (order: $0, intake: intake) }
        }
        for next in waiting.sorted(by: { $0.order < $1.order }) { next.intake.emitFirstWaiting() }
        for intake in intakes {
            if intake.phase.isWaiting { intake.phase = .open }
            intake.emitAll()
        }
    }

    /// Starts emitting.
    func open() { Self.open([self]) }

    private func emitAll() {
        emitWaiting()
        emitPending()
    }

    /// Makes the permits for another run of a source that can block.
    func makePermits() -> InFlightPermits {
        InFlightPermits(unsettled) { [weak self] in self?.recordStall() }
    }

    private func accept(_ value: SourceValue) {
        if unsettled.isClosedToNew { return }
        if let name = value.name {
            let isRepeated = lock.locked {
                if replacement != nil { namesSinceReplacement.insert(name) }
                return namesToSkip.remove(name) != nil
                    || repetitions.isCatchingUp && repetitions.isRedelivered("\(source):\(name)")
            }
            if isRepeated {
                unsettled.skipped()
                return advancePosition(value)
            }
        }
        if case .conflates = policy, !mayEmit {
            let isReplacing = lock.locked {
                pendingChanges += 1
                return pending.append(value)
            }
            advancePosition(value)
            return recordStall(isReplacing: isReplacing)
        }
        if receive(value) { advancePosition(value) }
        recordResumeIfDrained()
    }

    /// Moves the position to that of an accepted value.
    private func advancePosition(_ value: SourceValue) {
        if let position = value.position { positions.value = position }
    }

    /// Whether a value may be emitted at once.
    private var mayEmit: Bool { lock.locked { pending.isEmpty } && !unsettled.requestCallbackIfFull() }

    private func emitPending() {
        while !unsettled.requestCallbackIfFull(), let value = lock.locked({ sink == nil ? nil : pending.popFirst() }) {
            _ = receive(value)
        }
        endRepetitions()
        recordResumeIfDrained()
    }

    private func event(
        _ number: UInt64, _ name: String?, isRedelivered: Bool = false, mayBeRepeated: Bool = false
    ) -> SourceEvent {
        SourceEvent(
            source, run: name ?? run, sequence: number, time: scheduler.now.timeIntervalSince1970,
            isRedelivered: isRedelivered, mayBeRepeated: mayBeRepeated)
    }

    /// Makes the event of a value, with the progress that sinks had made with it before a crash.
    ///
    /// - Parameters:
    ///   - value: the value of the source.
    ///   - next: the ``UnsettledEvent/order`` of an event that this one precedes; `nil` to add it behind all others.
    /// - Returns: `nil` if new events are rejected.
    private func makeEvent(of value: SourceValue, before next: Int? = nil) -> PipelineEvent? {
        let number = sequence.next()
        let (isRepeated, finished) = lock.locked { () -> (Bool, SinkProgress?) in
            guard let name = value.name, repetitions.isCatchingUp else { return (false, nil) }
            return (true, repetitions.take("\(source):\(name)"))
        }
        let order = next.map { max(1, $0 - 1) } ?? Int(accepted.next())
        guard isRepeated else {
            return unsettled.accept(
                event(number, value.name), value.value, order: order, memory: hasLargeValues ? value.value.memory : 0)
        }
        return unsettled.accept(
            UnsettledEvent(
                event(number, value.name, isRedelivered: finished != nil, mayBeRepeated: true), value.value,
                finished ?? SinkProgress(), order: order))
    }

    /// Accepts a value as an event, and emits or enqueues it.
    ///
    /// - Returns: whether it was accepted.
    private func receive(_ value: SourceValue) -> Bool {
        // A scope of its own releases the event before the count below: a settled event must not count.
        do {
            guard let event = makeEvent(of: value) else { return false }
            if phase.isOpen, let sink = lock.locked({ waiting.isEmpty ? sink : nil }) {
                sink.next(event.forSteps)
            } else {
                enqueue(.event(event))
            }
        }
        if unsettled.count > 0 { onLeft() }
        return true
    }

    /// Passes a failure on at once. The source restarts, and waiting events stay in the queue.
    private func fail(_ error: any Error) {
        detachSink()?.error(error)
    }

    private func enqueue(_ notification: Notification) {
        lock.locked { waiting.append(notification) }
        emitWaiting()
    }

    private func emitWaiting() {
        while phase.isOpen, emitFirstWaiting() {}
    }

    /// Emits the first waiting notification.
    ///
    /// - Returns: `false` if there is none, or no subscriber.
    @discardableResult
    private func emitFirstWaiting() -> Bool {
        guard let sink = lock.locked({ sink }), sink.live.isActive,
            let notification = lock.locked({ waiting.popFirst() })
        else { return false }
        switch notification {
        case .event(let event): sink.next(event.forSteps)
        case .completed: sink.completed()
        }
        return true
    }

    // MARK: - Records

    private func recordStall(isReplacing: Bool = false) {
        let limit = unsettled.reachedLimit
        switch policy {
        // Called on the thread of the source, so the scheduler's time is not read.
        case .blocks: stalls.reached(limit, "the source waits")
        case .conflates:
            stalls.reached(
                limit, isReplacing: isReplacing, at: scheduler.elapsed, "the latest values are kept")
        }
    }

    /// Records the resumption below half of the limit, so that a source at the limit does not record every event.
    private func recordResumeIfDrained() {
        guard stalls.isStalled, !unsettled.requestCallbackAtHalf(), lock.locked({ pending.isEmpty }) else { return }
        stalls.resumed()
    }
}
