/// A discrete-event simulation of one run of an operator with several sources or timers: a queue of events, processed
/// in the order of their moments.
final class OperatorSimulation {
    /// The cause of a reaction.
    enum Cause: Hashable {
        case source(Int)
        case timer(Int)
    }

    let start: Moment
    private(set) var children: [Child] = []
    private(set) var output = Output()
    private var queue: [(at: Moment, cause: Cause, event: ProgramEvent)] = []
    private let model: Model

    init(_ model: Model, at start: Moment) {
        self.model = model
        self.start = start
        output.react(at: start)
    }

    var isOver: Bool { output.isOver || isSilent }

    /// Subscribes to another source.
    @discardableResult
    func subscribe(_ sequence: ModelSequence, at moment: Moment) -> Int {
        let number = children.count
        guard model.spend(1) else {
            children.append(Child(ModelSequence { Run(start: $0, events: []) { _, _ in } }, at: moment))
            return number
        }
        let child = Child(sequence, at: moment)
        children.append(child)
        let events = child.run.events
        // Ordering them takes time: nested endless sources would take minutes.
        _ = model.spend(events.count / 8)
        schedule(events.map { ($0.at, .source(number), $0.event) })
        return number
    }

    /// Sets a timer. A timer without delay is due a tick later.
    func setTimer(_ number: Int, after span: Int, at moment: Moment) {
        let tick = moment.tick + max(1, span)
        if tick <= Program.lastTick {
            schedule([(.action(at: tick, scheduledAt: moment), .timer(number), .completed)])
        }
    }

    private func schedule(_ new: [(at: Moment, cause: Cause, event: ProgramEvent)]) {
        // The earliest is last. Comparing moments dominates the model's time.
        for item in new.reversed() {
            var (low, high) = (0, queue.count)
            while low < high {
                let middle = (low + high) / 2
                if queue[middle].at < item.at { high = middle } else { low = middle + 1 }
            }
            queue.insert(item, at: low)
        }
    }

    /// The next call of an operator in its current reaction.
    func nextCall() -> Moment { output.nextCall() }

    /// Begins the reaction to a later moment.
    func react(at moment: Moment) { output.react(at: moment) }

    func emit(_ event: ProgramEvent) { output.emit(event) }
    func next(_ value: Int) { output.next(value) }
    func completed() { output.completed() }

    /// Releases a source now.
    func drop(_ number: Int) {
        let now = nextCall()
        children[number].end(silence: now, release: now)
    }

    /// Releases everything and delivers nothing more.
    func endSilently() {
        for number in children.indices { drop(number) }
        isSilent = true
    }

    private var isSilent = false

    /// Processes events in order until the run is over.
    func run(_ react: (Cause, ProgramEvent, Moment) throws -> Void) -> Run {
        while !isOver, let (moment, cause, event) = queue.popLast() {
            guard model.spend(1) else { break }
            if case .source(let number) = cause, let own = children[number].own, own.silence < moment { continue }
            output.react(at: moment)
            if event == .outOfBudget {
                emit(.outOfBudget)
                break
            }
            do { try react(cause, event, moment) } catch { emit(.error(Failure.number(of: error))) }
            if case .source(let number) = cause, event.isTerminal {
                children[number].end(silence: moment, release: moment.step(99))
            }
        }
        let children = children
        return Run(start: start, events: output.events, children: children) { cut, builder in
            for (number, child) in children.enumerated() {
                child.end(
                    Cut(silence: cut.silence, release: cut.release.step(number), request: cut.request), builder)
            }
        }
    }
}
