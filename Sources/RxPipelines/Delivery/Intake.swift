import FoundationEssentials
import RxEngine
import RxJSON

// Unchecked: used on one serial scheduler, except for what the lock guards, and ``unsettled``, which has its own.
/// Turns a source's values into numbered events, and holds them back until all subscribers have subscribed and
/// while `inFlight` is reached.
final class Intake: @unchecked Sendable {
    /// The path of the cell of the position.
    static let positionPath = "position"

    let unsettled: Unsettled
    private let source: String
    private let scheduler: any SchedulerType
    private let rule: BackpressurePolicy
    private let stalls: StallRecords
    /// Called when an event is unsettled after its emission.
    private let onLeft: @Sendable () -> Void
    /// The position of the last accepted value. It is part of the source's state, so that it fits what steps remember.
    private let positions: StateCell<JSON?>
    private let onCaughtUp: @Sendable () -> Void
    private weak let before: Intake?
    /// What this run of the source is called.
    private let run: String
    private let sequence = Sequencer()
    /// Numbers the events of all sources of the component.
    private let accepted: Sequencer
    private var isOpen = false
    /// Whether the source has caught up, and some of its values may have to become events yet.
    private var hasCaughtUp = false
    private var isStopped = false
    private var running: (any Disposable)?
    private let lock = Lock()
    // Below: guarded by the lock.
    /// Where events go; `nil` if nobody is subscribed. Whoever disposes of the graph removes it on any thread.
    private var sink: Sink<PipelineEvent>?
    /// Events that came before ``open()``, and redelivered ones.
    private var waiting: [Notification]
    private var pending: PendingValues
    private var pendingChanges = 0
    private var repetitions: Repetitions
    /// The intake that is to replace this one, whose source reads the same meanwhile.
    private weak var successor: Intake?
    /// The names of the values that came since there is a successor.
    private var namesSince: Set<String> = []
    /// The same of the replaced intake, but for those that came here, too.
    private var toSkip: Set<String> = []

    private enum Notification {
        case event(PipelineEvent)
        case completed

        var isEvent: Bool { event != nil }
        var event: PipelineEvent? { if case .event(let event) = self { event } else { nil } }
        /// See ``UnsettledEvent/order``.
        var order: Int? { (event?.delivery as? EventDelivery)?.order }
    }

    /// - Parameters:
    ///   - events: the events to redeliver.
    ///   - record: writes a record about the source.
    ///   - onLeft: called when an event is unsettled after its emission.
    ///   - positions: the cell of the position, with the one to resume from.
    ///   - accepted: numbers the events of all sources of the component.
    ///   - finished: what sinks have finished since the snapshot with that position, by the ids of events.
    ///   - onCaughtUp: called when the source has emitted everything that the previous process may have emitted.
    ///   - before: the intake that this one is to replace.
    init(
        _ source: String, on scheduler: any SchedulerType, limit: Int, backpressure rule: BackpressurePolicy,
        redelivering events: [UnsettledEvent], onProgress: @escaping @Sendable (UnsettledEvent) -> Void,
        record: @escaping @Sendable (Priority, String, (any Error)?) -> Void,
        onLeft: @escaping @Sendable () -> Void = {}, positions: StateCell<JSON?> = StateCell(nil, .optionalValue),
        accepted: Sequencer = Sequencer(from: 1), finished: [String: SinkProgress] = [:],
        onCaughtUp: @escaping @Sendable () -> Void = {},
        inPlaceOf before: Intake? = nil
    ) {
        self.source = source
        self.scheduler = scheduler
        self.rule = rule
        stalls = StallRecords(record)
        self.onLeft = onLeft
        self.positions = positions
        self.onCaughtUp = onCaughtUp
        self.before = before
        self.accepted = accepted
        run = RunID.make(on: scheduler)
        unsettled = Unsettled(limit: limit, onProgress: onProgress)
        pending = PendingValues(rule)
        repetitions =
            before.map { other in other.lock.locked { other.repetitions } }
            ?? Repetitions(finished, redelivering: events, isCatchingUp: positions.value != nil)
        let accepted = events.compactMap { [unsettled] in unsettled.accept($0) }
        waiting = accepted.map { .event($0) }
        unsettled.whenBelowLimit { [weak self] in
            guard let self else { return }
            scheduler.perform { self.emitPending() }
        }
        if let before { before.lock.locked { (before.successor, before.namesSince) = (self, []) } }
    }

    /// A counter that grows with every change.
    var version: Int { unsettled.version + lock.locked { pendingChanges } }

    /// Changes `inFlight`.
    func setLimit(_ limit: Int) { unsettled.setLimit(limit) }

    /// The number of unsettled events, pending values included.
    var count: Int { unsettled.count + lock.locked { pending.count } }

    /// The unsettled events, pending values included.
    var all: [UnsettledEvent] { unsettled.all + pendingEvents }

    /// ``all`` for a snapshot, which has them from now on.
    var captured: [UnsettledEvent] { unsettled.captured + pendingEvents }

    private var pendingEvents: [UnsettledEvent] {
        let (pending, first) = lock.locked { (self.pending.all, sequence.upcoming) }
        let order = Int(accepted.upcoming)
        return pending.enumerated().map {
            UnsettledEvent(event(first + UInt64($0), $1.name), $1.value, order: order + $0)
        }
    }

    /// What sinks have finished of events that the source has yet to emit again, by their ids.
    var finished: [String: SinkProgress] { lock.locked { repetitions.finished } }

    /// Takes over the waiting events and pending values of the intake that this one replaces, which has stopped. They
    /// precede all events of this one.
    private func takeOver(from other: Intake) {
        let (values, events, read) = other.lock.locked {
            defer { (other.pending, other.waiting, other.namesSince) = (PendingValues(other.rule), [], []) }
            return (other.pending.all, other.waiting, other.namesSince)
        }
        if positions.value == nil { positions.value = other.position }
        let first = lock.locked { waiting.lazy.compactMap(\.order).first }
        let inherited = values.compactMap { makeEvent(of: $0, before: first) }
        // Both read what came since this one subscribed, one of them first. Released outside the lock.
        let repeated = lock.locked { () -> [Notification] in
            let own = waiting
            toSkip = read
            waiting = events.filter(\.isEvent) + inherited.map { .event($0) }
            waiting += own.filter { $0.event.map { toSkip.remove($0.origin.run) == nil } ?? true }
            pending.removeAll { name in toSkip.remove(name) != nil }
            return own
        }
        withExtendedLifetime(repeated) {}
    }

    /// The position to resume from: of the last accepted value, or else of the replaced intake.
    var position: JSON? { positions.value ?? before?.position }

    /// The source starts after this position.
    func begin(at position: JSON) {
        positions.value = position
    }

    /// The source has emitted everything that the previous process may have emitted.
    func catchUp() {
        hasCaughtUp = true
        endRepetitions()
    }

    /// Recognizes nothing any more when all that has become events.
    private func endRepetitions() {
        guard hasCaughtUp, isOpen || before == nil, lock.locked({ pending.isEmpty }) else { return }
        hasCaughtUp = false
        lock.locked { repetitions.end() }
        onCaughtUp()
    }

    /// Subscribes to the source's values and emits them to `sink` as events.
    func run(_ values: Observable<SourceValue>, into sink: Sink<PipelineEvent>) -> any Disposable {
        if isStopped { return Disposables.create() }
        lock.locked { self.sink = sink }
        let running = values.subscribe(
            onNext: { self.accept($0) }, onError: { self.fail($0) }, onCompleted: { self.enqueue(.completed) })
        // Behind whoever else subscribes in this turn.
        if isOpen { scheduler.perform { self.emitAll() } }
        let place = ObjectIdentifier(sink)
        self.running = running
        return Disposables.create(running, Disposables.create { self.leave(place) })
    }

    /// Rejects new events from now on.
    func close() {
        unsettled.close()
        stalls.ended()
    }

    /// Reads no more values: another intake replaces this one, or none. The events that are in flight may be finished.
    func stop() {
        isStopped = true
        leave()
        running?.dispose()
        running = nil
        stalls.ended()
    }

    /// Removes the sink, if it is this one, or whatever it is.
    ///
    /// - Returns: the sink, which is released outside the lock.
    @discardableResult
    private func leave(_ place: ObjectIdentifier? = nil) -> Sink<PipelineEvent>? {
        lock.locked { place == nil || sink.map({ ObjectIdentifier($0) }) == place ? sink.take() : nil }
    }

    /// Starts emitting with several intakes of a component: all subscribers have subscribed, and the intakes that these
    /// replace have stopped. What waits in them is emitted in the order in which it was accepted.
    static func open(_ intakes: [Intake]) {
        for intake in intakes where !intake.isOpen { intake.before.map { intake.takeOver(from: $0) } }
        let waiting = intakes.flatMap { intake in
            let orders = intake.lock.locked { intake.waiting.compactMap(\.order) }
            return orders.map { (order: $0, intake: intake) }
        }
        for next in waiting.sorted(by: { $0.order < $1.order }) { next.intake.emitFirstWaiting() }
        for intake in intakes {
            intake.isOpen = true
            intake.emitAll()
        }
    }

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
                if successor != nil { namesSince.insert(name) }
                return toSkip.remove(name) != nil
                    || repetitions.isCatchingUp && repetitions.isRedelivered("\(source):\(name)")
            }
            if isRepeated {
                unsettled.skipped()
                return reach(value)
            }
        }
        if case .conflates = rule, !mayEmit {
            let isReplacing = lock.locked {
                pendingChanges += 1
                return pending.append(value)
            }
            reach(value)
            return recordStall(isReplacing: isReplacing)
        }
        if take(value) { reach(value) }
        recordResumeIfDrained()
    }

    private func reach(_ value: SourceValue) {
        if let position = value.position { positions.value = position }
    }

    /// Whether a value may be emitted at once.
    private var mayEmit: Bool { lock.locked { pending.isEmpty } && !unsettled.awaitsRoom() }

    private func emitPending() {
        while !unsettled.awaitsRoom(), let value = lock.locked({ sink == nil ? nil : pending.popFirst() }) {
            _ = take(value)
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

    /// Makes the event of a value, with what sinks had finished of it before a crash.
    ///
    /// - Parameter next: the ``UnsettledEvent/order`` of an event that it precedes.
    private func makeEvent(of value: SourceValue, before next: Int? = nil) -> PipelineEvent? {
        let number = sequence.next()
        let (isRepeated, finished) = lock.locked { () -> (Bool, SinkProgress?) in
            guard let name = value.name, repetitions.isCatchingUp else { return (false, nil) }
            return (true, repetitions.take("\(source):\(name)"))
        }
        let order = next.map { max(1, $0 - 1) } ?? Int(accepted.next())
        guard isRepeated else { return unsettled.accept(event(number, value.name), value.value, order: order) }
        return unsettled.accept(
            UnsettledEvent(
                event(number, value.name, isRedelivered: finished != nil, mayBeRepeated: true), value.value,
                finished ?? SinkProgress(), order: order))
    }

    /// - Returns: whether the value is accepted.
    private func take(_ value: SourceValue) -> Bool {
        // In a scope of its own: the event is released before it is counted.
        do {
            guard let event = makeEvent(of: value) else { return false }
            if isOpen, let sink = lock.locked({ waiting.isEmpty ? sink : nil }) {
                sink.next(event.forSteps)
            } else {
                enqueue(.event(event))
            }
        }
        if unsettled.count > 0 { onLeft() }
        return true
    }

    /// Passes a failure on at once: the source is restarted, and waiting events keep waiting.
    private func fail(_ error: any Error) {
        leave()?.error(error)
    }

    private func enqueue(_ notification: Notification) {
        lock.locked { waiting.append(notification) }
        emitWaiting()
    }

    private func emitWaiting() {
        while isOpen, emitFirstWaiting() {}
    }

    /// - Returns: whether there is one, and somebody receives it.
    @discardableResult
    private func emitFirstWaiting() -> Bool {
        guard let sink = lock.locked({ sink }), sink.live.isActive,
            let notification = lock.locked({ waiting.isEmpty ? nil : waiting.removeFirst() })
        else { return false }
        switch notification {
        case .event(let event): sink.next(event.forSteps)
        case .completed: sink.completed()
        }
        return true
    }

    // MARK: - Records

    private func recordStall(isReplacing: Bool = false) {
        let limit = unsettled.currentLimit
        switch rule {
        // On a thread of the source.
        case .blocks: stalls.reached(limit, "the source waits")
        case .conflates:
            stalls.reached(
                limit, isReplacing: isReplacing, at: scheduler.now.timeIntervalSince1970, "the latest values are kept")
        }
    }

    /// Below half of the limit, so that a source at the limit does not record every event.
    private func recordResumeIfDrained() {
        guard stalls.isStalled, !unsettled.awaitsHalf(), lock.locked({ pending.isEmpty }) else { return }
        stalls.resumed()
    }
}
