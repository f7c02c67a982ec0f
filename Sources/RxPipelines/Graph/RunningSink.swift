import RxEngine

// Unchecked: what changes is behind the lock.
/// One sink of a pipeline that runs.
final class RunningSink: @unchecked Sendable {
    private let surroundings: SinkSurroundings
    private let settings: SinkSettings
    private let sink: any OpenSink
    private let lock = Lock()
    // Below: behind the lock.
    /// While the sink that this one follows is at work: what has come since.
    private var held: [PipelineEvent]?
    /// Whether another takes its place.
    private var isHandingOver = false
    private var isDisposed = false
    /// Where it has not begun when another takes its place: where all goes that it was to begin with.
    private var successor: (@Sendable ([PipelineEvent]) -> Void)?
    /// Where it has not begun when it is to end: what is called when it has.
    private var drained: (@Sendable () -> Void)?

    init(_ kind: any SinkKind, in surroundings: SinkSurroundings) {
        self.surroundings = surroundings
        settings = kind.settings
        sink = kind.open(in: surroundings)
    }

    /// What it is told from the pipeline's others by, and known again in another config.
    var key: String { surroundings.key }
    var dropped: Int { sink.dropped }
    var queued: Int { sink.queued + lock.locked { held?.count ?? 0 } }

    /// What it takes from now on waits until ``follow(_:on:)`` says that it may begin.
    func hold() {
        lock.locked { held = [] }
    }

    func take(_ event: PipelineEvent) {
        guard settings.actsOnReplays || !event.isReplayed, let event = event.begun(at: key) else { return }
        let isHeld = lock.locked { held?.append(event) != nil }
        if !isHeld { give(event) }
    }

    private func give(_ event: PipelineEvent) {
        do {
            if try sink.take(event) { surroundings.finish(event) }
        } catch {
            surroundings.fail(error, on: event)
        }
    }

    /// Takes the place of another: begins when that has finished what it is doing, and with what that has left.
    ///
    /// - Parameters:
    ///   - scheduler: what this one is told its events on.
    ///   - ended: called when the other has nothing left.
    func follow(_ other: RunningSink, on scheduler: any SchedulerType, ended: @escaping @Sendable () -> Void) {
        other.handOver { left in
            ended()
            scheduler.perform { self.begin(with: left) }
        }
    }

    /// The sink before has ended.
    private func begin(with left: [PipelineEvent]) {
        let (held, successor, drained, isDisposed) = lock.locked {
            (self.held.take() ?? [], self.successor.take(), self.drained.take(), self.isDisposed)
        }
        if let successor { return successor(left + held) }
        // What it would have begun with is kept, or given up as what it had itself.
        if isDisposed { return }
        for event in left + held { give(event) }
        if let drained { sink.drain(drained) }
    }

    private func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        let hasBegun = lock.locked {
            isHandingOver = true
            if held != nil { successor = done }
            return held == nil
        }
        if hasBegun { sink.handOver(done) }
    }

    func drain(_ done: @escaping @Sendable () -> Void) {
        let hasBegun = lock.locked {
            if held != nil { drained = done }
            return held == nil
        }
        if hasBegun { sink.drain(done) }
    }

    /// Ends what it is doing.
    ///
    /// - Parameter keepsEvents: whether the events that it has not finished with are kept; otherwise they are given up.
    func dispose(keepsEvents: Bool) {
        let (held, isHandingOver) = lock.locked {
            isDisposed = true
            return (self.held ?? [], self.isHandingOver)
        }
        let left = sink.unfinished + held
        // Said first: whoever waits for the end finds everything said.
        if !left.isEmpty {
            let fate =
                keepsEvents ? "is kept" : isHandingOver ? "is left to the one that takes its place" : "is given up"
            surroundings.record(
                keepsEvents || isHandingOver ? .notice : .warning,
                "was stopped before it had finished: \(Self.names(of: left)) \(fate)",
                dropped: isHandingOver || keepsEvents ? nil : left.count,
                unsettled: keepsEvents ? left.count : nil)
        }
        sink.dispose()
        let (given, drained) = lock.locked { isHandingOver ? (nil, nil) : (self.held.take(), self.drained.take()) }
        drained?()
        withExtendedLifetime(given) {}
    }

    /// "what tick:3, tick:4 and 7 more were to lead to"
    private static func names(of events: [PipelineEvent]) -> String {
        let names = events.prefix(3).map(\.cause).joined(separator: ", ")
        let more = events.count - min(events.count, 3)
        return "what \(names)\(more > 0 ? " and \(more) more" : "") had to lead to"
    }
}
