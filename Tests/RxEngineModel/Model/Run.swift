/// An event of a model run.
struct Occurrence {
    let at: Moment
    let event: ProgramEvent
}

/// When downstream ends a run: after `silence` nothing is delivered and no closure runs; at `release` the source is
/// released. They differ if the end arrives during the subscription.
struct Cut {
    let silence: Moment
    let release: Moment
    /// When downstream disposed the run: before `release` if the run had not been returned yet.
    let request: Moment

    init(silence: Moment, release: Moment, request: Moment? = nil) {
        self.silence = silence
        self.release = release
        self.request = request ?? release
    }

    static let never = Cut(silence: .never, release: .never)
}

/// One run of a sequence: all its events as if it were never disposed.
final class Run {
    let start: Moment
    /// Nothing follows a terminal event.
    let events: [Occurrence]
    /// Records the side effects of the run when a cut ends it. Called only if the run started before.
    private let record: (Cut, RecordingBuilder) -> Void
    /// The subscriptions that it makes, if it is a run of several sources.
    let children: [Child]

    init(
        start: Moment, events: [Occurrence], children: [Child] = [], record: @escaping (Cut, RecordingBuilder) -> Void
    ) {
        self.start = start
        self.events = events
        self.children = children
        self.record = record
    }

    func end(_ cut: Cut, _ builder: RecordingBuilder) {
        if start < cut.silence { record(cut, builder) }
    }
}

/// Collects the events and side effects of a model run, and sorts them at the end.
final class RecordingBuilder {
    private var entries: [(at: Moment, kind: Entry.Kind)] = []

    func note(_ kind: Entry.Kind, at moment: Moment) {
        if moment.tick <= Program.lastTick { entries.append((moment, kind)) }
    }

    var recording: Recording {
        let sorted = entries.enumerated().sorted {
            $0.element.at == $1.element.at ? $0.offset < $1.offset : $0.element.at < $1.element.at
        }
        return Recording(entries: sorted.map { Entry(tick: $0.element.at.tick, kind: $0.element.kind) })
    }
}

/// A sequence of the model.
struct ModelSequence {
    /// Whether an outermost subscription does not enter the trampoline.
    var isDirect = false
    /// Whether it is a hot or cold source without operators.
    var isPlain = false
    /// Whether it is a scalar: one element that is known when it is made.
    var isScalar = false
    let run: (Moment) -> Run

    init(isDirect: Bool = false, isPlain: Bool = false, _ run: @escaping (Moment) -> Run) {
        self.isDirect = isDirect
        self.isPlain = isPlain
        self.run = run
    }
}

/// A subscription of a boundary: an observer, or an operator that releases its source by itself.
final class Child {
    let run: Run
    /// When the disposable of the source is returned: an earlier release takes effect then.
    let attached: Moment
    /// When `subscribe` returns, after the trampoline is empty.
    let returned: Moment
    /// When the boundary ends the run by itself.
    private(set) var own: Cut?

    init(_ sequence: ModelSequence, at start: Moment) {
        if start.isOnTrampoline || sequence.isDirect {
            run = sequence.run(start.step(0))
            attached = start.step(1)
            returned = attached
        } else {
            let body = start.enteringTrampoline()
            run = sequence.run(body.step(0))
            attached = body.step(1)
            returned = start.step(2)
        }
    }

    /// Whether the boundary ended the run before it was started.
    var hasLostBeforeStart: Bool { own.map { $0.silence < run.start } ?? false }

    /// Ends the run by the boundary, once.
    func end(silence: Moment, release: Moment) {
        if own == nil { own = Cut(silence: silence, release: release) }
    }

    /// Records the side effects of the run, which ended by the boundary or by the cut that ends the boundary.
    func end(_ cut: Cut, _ builder: RecordingBuilder) {
        var cut = cut
        // If downstream ended first, the run did not end by itself.
        if let own, own.silence < cut.silence {
            cut = Cut(silence: own.silence, release: min(own.release, cut.release))
        }
        run.end(
            Cut(silence: cut.silence, release: max(cut.release, attached), request: cut.request), builder)
    }
}

/// The output of an operator in the middle of a chain.
struct Output {
    private(set) var events: [Occurrence] = []
    private(set) var isOver = false
    private var moment = Moment.setup
    private var calls = 0

    /// Begins the reaction to `moment`.
    mutating func react(at moment: Moment) {
        self.moment = moment
        calls = 0
    }

    /// The moment of the next call.
    mutating func nextCall() -> Moment {
        defer { calls += 1 }
        return moment.step(calls)
    }

    mutating func emit(_ event: ProgramEvent) {
        guard !isOver else { return }
        events.append(Occurrence(at: nextCall(), event: event))
        isOver = event.isTerminal
    }

    mutating func next(_ value: Int) { emit(.next(value)) }
    mutating func error(_ number: Int) { emit(.error(number)) }
    mutating func completed() { emit(.completed) }

    /// Emits the results of a closure, or the error that it throws.
    mutating func attempt(_ body: (inout Output) throws -> Void) {
        do { try body(&self) } catch { self.error(Failure.number(of: error)) }
    }
}

extension ModelSequence {
    /// A sequence of this one's events and the results of a reaction to each, which passes on ends that it does not
    /// handle.
    func react(_ makeReaction: @escaping () -> (ProgramEvent, inout Output) throws -> Void) -> ModelSequence {
        ModelSequence { start in
            let upstream = run(start)
            let reaction = makeReaction()
            var output = Output()
            for occurrence in upstream.events where !output.isOver {
                output.react(at: occurrence.at)
                if occurrence.event == .outOfBudget { output.emit(.outOfBudget) }
                output.attempt { try reaction(occurrence.event, &$0) }
            }
            return Run(start: start, events: output.events, record: upstream.end)
        }
    }
}
