import FoundationEssentials
import RxEngine

// Unchecked: all of it happens on one serial scheduler, but for what is behind the lock, and for ``unsettled``, which has one.
/// Where a source's values become events: numbered, accounted for, and held back until all who are to hear of them listen,
/// and while too many are not settled.
final class Intake: @unchecked Sendable {
    let unsettled: Unsettled
    private let source: String
    private let scheduler: any SchedulerType
    private let limit: Int
    private let rule: WhenFull
    private let tell: @Sendable (Priority, String, (any Error)?) -> Void
    /// Called when something is left to do for an event that has been told.
    private let onLeft: @Sendable () -> Void
    private let positionOf: @Sendable (JSON) -> String?
    private weak let before: Intake?
    /// What this run of the source is called.
    private let run: String
    private let sequence = Sequencer()
    private var isOpen = false
    private var sink: Sink<PipelineEvent>?
    private let lock = Lock()
    // Below: behind the lock.
    /// What has come too early, and what was told before and is to be told again.
    private var waiting: [Told]
    private var pending: PendingValues
    private var pendingChanges = 0
    /// Where the source goes on behind what was taken in last.
    private var last: String?
    /// How many have gone for others since there was no more room; `nil` while there is.
    private var replaced: Int?

    private enum Told {
        case event(PipelineEvent)
        case completed

        var isEvent: Bool { if case .event = self { true } else { false } }
    }

    /// - Parameters:
    ///   - events: what was told before and is told again.
    ///   - tell: records what becomes of the source.
    ///   - onLeft: called when something is left to do for an event that has been told.
    ///   - position: says where the source goes on behind a value.
    ///   - before: the one in whose place this one is to be.
    init(
        _ source: String, on scheduler: any SchedulerType, limit: Int, whenFull rule: WhenFull,
        redelivering events: [UnsettledEvent], onSettled: @escaping @Sendable (SourceEvent) -> Void,
        tell: @escaping @Sendable (Priority, String, (any Error)?) -> Void,
        onLeft: @escaping @Sendable () -> Void = {}, position: @escaping @Sendable (JSON) -> String? = { _ in nil },
        inPlaceOf before: Intake? = nil
    ) {
        self.source = source
        self.scheduler = scheduler
        self.limit = limit
        self.rule = rule
        self.tell = tell
        self.onLeft = onLeft
        positionOf = position
        self.before = before
        run = RunName.make(on: scheduler)
        unsettled = Unsettled(limit: limit, onSettled: onSettled)
        pending = PendingValues(rule)
        waiting = events.compactMap(unsettled.accept).map { .event($0) }
    }

    /// How often something has changed about the events that something is owed to.
    var version: Int { unsettled.version + lock.locked { pendingChanges } }

    /// How many events there are that something is owed to, be it that they have not been told yet.
    var count: Int { unsettled.count + lock.locked { pending.count } }

    /// These events.
    var all: [UnsettledEvent] {
        let (pending, first) = lock.locked { (self.pending.all, sequence.upcoming) }
        return unsettled.all + pending.enumerated().map { UnsettledEvent(event(first + UInt64($0)), $1) }
    }

    /// Takes what another has not told yet, which has stopped and whose place this one takes, before it is opened. It came
    /// before all that this one has heard.
    func follow(_ other: Intake) {
        let (values, events) = other.lock.locked {
            defer { (other.pending, other.waiting) = (PendingValues(other.rule), []) }
            return (other.pending.all, other.waiting)
        }
        let pending = values.compactMap { unsettled.accept(UnsettledEvent(event(sequence.next()), $0)) }
        lock.locked { waiting = events.filter(\.isEvent) + pending.map { .event($0) } + waiting }
    }

    /// Where the source goes on; where it has not told anything, where the one did in whose place it is.
    var position: String? { lock.locked { last } ?? before?.position }

    /// Runs the source: what it tells goes to `sink` as events.
    func run(_ values: Observable<JSON>, into sink: Sink<PipelineEvent>) -> any Disposable {
        self.sink = sink
        let running = values.subscribe(
            onNext: { self.accept($0) }, onError: { self.fail($0) }, onCompleted: { self.tell(.completed) })
        // Behind whoever else subscribes in this turn.
        if isOpen { scheduler.perform { self.tellAll() } }
        let place = ObjectIdentifier(sink)
        return Disposables.create(running, Disposables.create { self.leave(place) })
    }

    private func leave(_ place: ObjectIdentifier) {
        if sink.map({ ObjectIdentifier($0) }) == place { sink = nil }
    }

    /// All who are to hear of the first events listen.
    func open() {
        isOpen = true
        tellAll()
    }

    private func tellAll() {
        tellWaiting()
        tellPending()
    }

    /// The room for the events of another run of a source that can wait.
    func makeRoom() -> Room {
        Room(unsettled) { [weak self] in self?.isHeldUp() }
    }

    private func accept(_ value: JSON) {
        if unsettled.takesNothing { return }
        if case .keepsLatest = rule, !mayTell {
            let isReplacing = lock.locked {
                pendingChanges += 1
                return pending.append(value)
            }
            return isHeldUp(isReplacing: isReplacing)
        }
        take(value)
        goesOnIfEased()
    }

    /// Whether nothing has to wait for others to be settled.
    private var mayTell: Bool { lock.locked { pending.isEmpty } && hasRoom }

    /// Whether there is room for another event. Where there is none, what is pending is told when there is.
    private var hasRoom: Bool {
        unsettled.hasRoom { [weak self] in
            guard let self else { return }
            scheduler.perform { self.tellPending() }
        }
    }

    private func tellPending() {
        while sink != nil, hasRoom, let value = lock.locked({ pending.popFirst() }) { take(value) }
        goesOnIfEased()
    }

    private func event(_ number: UInt64) -> SourceEvent {
        SourceEvent(source, run: run, sequence: number, time: scheduler.now.timeIntervalSince1970)
    }

    private func take(_ value: JSON) {
        // In a scope of its own, so that it is let go of.
        do {
            guard let event = unsettled.accept(UnsettledEvent(event(sequence.next()), value)) else { return }
            if let position = positionOf(value) { lock.locked { last = position } }
            if isOpen, lock.locked({ waiting.isEmpty }), let sink { sink.next(event) } else { tell(.event(event)) }
        }
        if unsettled.count > 0 { onLeft() }
    }

    /// That the source has failed is told at once: it starts again, and what waits goes on waiting.
    private func fail(_ error: any Error) {
        let sink = sink.take()
        sink?.error(error)
    }

    private func tell(_ told: Told) {
        lock.locked { waiting.append(told) }
        tellWaiting()
    }

    private func tellWaiting() {
        while isOpen, let sink, sink.live.isActive,
            let told = lock.locked({ waiting.isEmpty ? nil : waiting.removeFirst() })
        {
            switch told {
            case .event(let event): sink.next(event)
            case .completed: sink.completed()
            }
        }
    }

    // MARK: - Saying so

    private func isHeldUp(isReplacing: Bool = false) {
        let isFirst = lock.locked {
            defer { replaced = (replaced ?? 0) + (isReplacing ? 1 : 0) }
            return replaced == nil
        }
        guard isFirst else { return }
        let fate =
            switch rule {
            case .waits: "it waits"
            case .keepsLatest: "of what it tells now, the latest is kept"
            }
        tell(.warning, "\(limit) events are not settled, as many as 'inFlight' lets be: \(fate)", nil)
    }

    /// Not at the first that is settled: it would be said over and over.
    private func goesOnIfEased() {
        guard lock.locked({ replaced != nil }), unsettled.count <= limit / 2 else { return }
        guard let count = lock.locked({ pending.isEmpty ? replaced.take() : nil }) else { return }
        tell(.notice, "it goes on\(count > 0 ? "; \(count) events have gone for later ones" : "")", nil)
    }
}
