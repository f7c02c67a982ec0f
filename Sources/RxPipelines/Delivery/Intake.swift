import FoundationEssentials
import RxEngine
import RxJSON

// Unchecked: used on one serial scheduler, except for what the lock guards, and ``unsettled``, which has its own.
/// Turns a source's values into numbered events, and holds them back until all subscribers have subscribed and while
/// `inFlight` is reached.
final class Intake: @unchecked Sendable {
    let unsettled: Unsettled
    private let source: String
    private let scheduler: any SchedulerType
    private let limit: Int
    private let rule: BackpressurePolicy
    private let record: @Sendable (Priority, String, (any Error)?) -> Void
    /// Called when an event is unsettled after its emission.
    private let onLeft: @Sendable () -> Void
    private let positionOf: @Sendable (JSON) -> String?
    private weak let before: Intake?
    /// What this run of the source is called.
    private let run: String
    private let sequence = Sequencer()
    private var isOpen = false
    private var sink: Sink<PipelineEvent>?
    private let lock = Lock()
    // Below: guarded by the lock.
    /// Events that came before ``open()``, and redelivered ones.
    private var waiting: [Notification]
    private var pending: PendingValues
    private var pendingChanges = 0
    /// The position of the last accepted value.
    private var last: String?
    /// The number of values lost since `inFlight` was reached; `nil` while it is not.
    private var replaced: Int?

    private enum Notification {
        case event(PipelineEvent)
        case completed

        var isEvent: Bool { if case .event = self { true } else { false } }
    }

    /// - Parameters:
    ///   - events: the events to redeliver.
    ///   - record: writes a record about the source.
    ///   - onLeft: called when an event is unsettled after its emission.
    ///   - position: returns the position of a value, for a source that can resume.
    ///   - before: the intake that this one is to replace.
    init(
        _ source: String, on scheduler: any SchedulerType, limit: Int, backpressure rule: BackpressurePolicy,
        redelivering events: [UnsettledEvent], onProgress: @escaping @Sendable (UnsettledEvent) -> Void,
        record: @escaping @Sendable (Priority, String, (any Error)?) -> Void,
        onLeft: @escaping @Sendable () -> Void = {}, position: @escaping @Sendable (JSON) -> String? = { _ in nil },
        inPlaceOf before: Intake? = nil
    ) {
        self.source = source
        self.scheduler = scheduler
        self.limit = limit
        self.rule = rule
        self.record = record
        self.onLeft = onLeft
        positionOf = position
        self.before = before
        run = RunID.make(on: scheduler)
        unsettled = Unsettled(limit: limit, onProgress: onProgress)
        pending = PendingValues(rule)
        let accepted = events.compactMap { [unsettled] in unsettled.accept($0) }
        waiting = accepted.map { .event($0) }
        unsettled.whenBelowLimit { [weak self] in
            guard let self else { return }
            scheduler.perform { self.emitPending() }
        }
    }

    /// A counter that grows with every change.
    var version: Int { unsettled.version + lock.locked { pendingChanges } }

    /// The number of unsettled events, pending values included.
    var count: Int { unsettled.count + lock.locked { pending.count } }

    /// The unsettled events, pending values included.
    var all: [UnsettledEvent] { unsettled.all + pendingEvents }

    /// ``all`` for a snapshot, which has them from now on.
    var captured: [UnsettledEvent] { unsettled.captured + pendingEvents }

    private var pendingEvents: [UnsettledEvent] {
        let (pending, first) = lock.locked { (self.pending.all, sequence.upcoming) }
        return pending.enumerated().map { UnsettledEvent(event(first + UInt64($0)), $1) }
    }

    /// Takes over the waiting events and pending values of the intake that this one replaces, which has stopped. They precede
    /// all events of this one.
    private func takeOver(from other: Intake) {
        let (values, events) = other.lock.locked {
            defer { (other.pending, other.waiting) = (PendingValues(other.rule), []) }
            return (other.pending.all, other.waiting)
        }
        let pending = values.compactMap { unsettled.accept(event(sequence.next()), $0) }
        lock.locked { waiting = events.filter(\.isEvent) + pending.map { .event($0) } + waiting }
    }

    /// The position to resume from: of the last accepted value, or else of the replaced intake.
    var position: String? { lock.locked { last } ?? before?.position }

    /// Subscribes to the source's values and emits them to `sink` as events.
    func run(_ values: Observable<JSON>, into sink: Sink<PipelineEvent>) -> any Disposable {
        self.sink = sink
        let running = values.subscribe(
            onNext: { self.accept($0) }, onError: { self.fail($0) }, onCompleted: { self.enqueue(.completed) })
        // Behind whoever else subscribes in this turn.
        if isOpen { scheduler.perform { self.emitAll() } }
        let place = ObjectIdentifier(sink)
        return Disposables.create(running, Disposables.create { self.leave(place) })
    }

    private func leave(_ place: ObjectIdentifier) {
        if sink.map({ ObjectIdentifier($0) }) == place { sink = nil }
    }

    /// Starts emitting: all subscribers have subscribed, and the intake that this one replaces has stopped.
    func open() {
        if !isOpen, let before { takeOver(from: before) }
        isOpen = true
        emitAll()
    }

    private func emitAll() {
        emitWaiting()
        emitPending()
    }

    /// Makes the permits for another run of a source that can block.
    func makePermits() -> InFlightPermits {
        InFlightPermits(unsettled) { [weak self] in self?.recordStall() }
    }

    private func accept(_ value: JSON) {
        if case .conflates = rule, !mayEmit {
            if unsettled.isClosedToNew { return }
            let isReplacing = lock.locked {
                pendingChanges += 1
                return pending.append(value)
            }
            return recordStall(isReplacing: isReplacing)
        }
        take(value)
        recordResumeIfDrained()
    }

    /// Whether a value may be emitted at once.
    private var mayEmit: Bool { lock.locked { pending.isEmpty } && !unsettled.awaitsRoom() }

    private func emitPending() {
        while sink != nil, !unsettled.awaitsRoom(), let value = lock.locked({ pending.popFirst() }) { take(value) }
        recordResumeIfDrained()
    }

    private func event(_ number: UInt64) -> SourceEvent {
        SourceEvent(source, run: run, sequence: number, time: scheduler.now.timeIntervalSince1970)
    }

    private func take(_ value: JSON) {
        // In a scope of its own: the event is released before it is counted.
        do {
            guard let event = unsettled.accept(event(sequence.next()), value) else { return }
            if let position = positionOf(value) { lock.locked { last = position } }
            if isOpen, lock.locked({ waiting.isEmpty }), let sink {
                sink.next(event.forSteps)
            } else {
                enqueue(.event(event))
            }
        }
        if unsettled.count > 0 { onLeft() }
    }

    /// Passes a failure on at once: the source is restarted, and waiting events keep waiting.
    private func fail(_ error: any Error) {
        let sink = sink.take()
        sink?.error(error)
    }

    private func enqueue(_ notification: Notification) {
        lock.locked { waiting.append(notification) }
        emitWaiting()
    }

    private func emitWaiting() {
        while isOpen, let sink, sink.live.isActive,
            let notification = lock.locked({ waiting.isEmpty ? nil : waiting.removeFirst() })
        {
            switch notification {
            case .event(let event): sink.next(event.forSteps)
            case .completed: sink.completed()
            }
        }
    }

    // MARK: - Records

    private func recordStall(isReplacing: Bool = false) {
        let isFirst = lock.locked {
            defer { replaced = (replaced ?? 0) + (isReplacing ? 1 : 0) }
            return replaced == nil
        }
        guard isFirst else { return }
        let fate =
            switch rule {
            case .blocks: "the source waits"
            case .conflates: "the latest values are kept"
            }
        record(.warning, "inFlight reached: \(limit) events are unsettled; \(fate)", nil)
    }

    /// Below half of the limit, so that a source at the limit does not record every event.
    private func recordResumeIfDrained() {
        guard lock.locked({ replaced != nil }), unsettled.count <= limit / 2 else { return }
        guard let count = lock.locked({ pending.isEmpty ? replaced.take() : nil }) else { return }
        record(.notice, "resumed\(count > 0 ? "; \(count) values were replaced by later ones" : "")", nil)
    }
}
