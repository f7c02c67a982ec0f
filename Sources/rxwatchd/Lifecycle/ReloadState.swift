/// The protocol of starting, reloading and stopping: which generation runs, which one is being armed, and who waits for
/// it.
///
/// A value: each transition returns the actions to perform, in order, and ``ReloadLoop`` performs them. Generations are
/// numbers here, which are never used twice; configs, their mistakes and those who ask for a reload are opaque.
///
/// | phase | config is good | config is bad | armed | armed, sources failed | stop |
/// |---|---|---|---|---|---|
/// | starting 1 | starting 1 to 2 | starting 1 | running 1 | running 1 | ends 1 |
/// | starting 1 to 2 | starting 1 to 3, disposes 2 | starting 1 to 2 | running 2 | running 2 | disposes 2, ends 1 |
/// | running 1 | reloading 1 to 2 | running 1 | | | ends 1 |
/// | reloading 1 to 2 | reloading 1 to 3, disposes 2 | reloading 1 to 2 | running 2 | running 1, disposes 2 | disposes 2, ends 1 |
struct ReloadState<Config, Mistakes, Asker> {
    /// What to do after a transition.
    enum Action {
        case start(Int, Config, Origin)
        /// Cancels a generation that has not run.
        case dispose(Int)
        /// Passes events to the generation with this number, whose sources are armed, and no longer to the one before.
        case run(Int, replacing: Int?)
        /// Reads the config, and passes the result to ``configIsGood(_:)`` or ``configIsBad(_:)``.
        case readConfig
        case notifyReloading
        case notifyReady
        /// Has the service manager store what the next process takes over.
        case storeHandover
        /// Records how a start, a reload or a stop went, and answers those who asked for it.
        case report(Outcome, to: [Asker])
        /// Starts the periodic records of this generation's live resources.
        case reportResources(Int)
        /// Drains and stops this generation. No action follows.
        case end(Int)
    }

    /// What a generation that starts goes on from.
    enum Origin: Equatable {
        case previousProcess
        /// A generation that passes events, which goes on until this one is armed.
        case replacing(Int)
    }

    enum Outcome {
        case ready(Int)
        case reloaded(Int)
        /// These sources could not be armed; the generation before goes on.
        case refused([String])
        case badConfig(Mistakes)
        case stopping(Ending)
    }

    private enum Phase {
        /// The first generation, which passes events from its start, and the one that is to replace it.
        case starting(Int, next: Int? = nil)
        case running(Int)
        case reloading(Int, next: Int)
    }

    private var phase = Phase.starting(1)
    /// The largest number that was used.
    private var latest = 1
    /// Those whose reload is reading the config.
    private var reading: [Asker] = []
    /// Those who wait until the next generation is armed.
    private var waiting: [Asker] = []

    /// Starts the first generation. Called once, before all other transitions.
    mutating func begin(with config: Config) -> [Action] {
        [.start(latest, config, .previousProcess)]
    }

    mutating func reload(for askers: [Asker]) -> [Action] {
        reading += askers
        return [.notifyReloading, .readConfig]
    }

    /// Those who have asked before get the answer of this config, too: it supersedes theirs.
    mutating func configIsGood(_ config: Config) -> [Action] {
        waiting += reading.taken()
        latest += 1
        switch phase {
        case .starting(let first, let superseded):
            phase = .starting(first, next: latest)
            return (superseded.map { [.dispose($0)] } ?? []) + [.start(latest, config, .replacing(first))]
        case .running(let current):
            phase = .reloading(current, next: latest)
            return [.start(latest, config, .replacing(current))]
        case .reloading(let current, let superseded):
            phase = .reloading(current, next: latest)
            return [.dispose(superseded), .start(latest, config, .replacing(current))]
        }
    }

    /// Nothing changes. Those who have asked before wait for the config that was good then.
    mutating func configIsBad(_ mistakes: Mistakes) -> [Action] {
        let report = Action.report(.badConfig(mistakes), to: reading.taken())
        switch phase {
        case .running: return [.notifyReady, report]
        // The service manager is notified when the generation is armed.
        case .starting, .reloading: return [report]
        }
    }

    /// All sources of the generation are armed, except those that `failures` name. Ignored if a later one has
    /// superseded it.
    mutating func armed(_ number: Int, failures: [String]) -> [Action] {
        switch phase {
        // There is nothing to fall back to: sources that failed are retried.
        case .starting(number, next: nil), .starting(_, next: number):
            var replaced: Int?
            if case .starting(let first, .some) = phase { replaced = first }
            phase = .running(number)
            return [
                .run(number, replacing: replaced), .notifyReady, .storeHandover,
                .report(.ready(number), to: waiting.taken()), .reportResources(number),
            ]
        case .reloading(let current, next: number):
            guard failures.isEmpty else {
                phase = .running(current)
                return [.dispose(number), .notifyReady, .report(.refused(failures), to: waiting.taken())]
            }
            phase = .running(number)
            return [
                .run(number, replacing: current), .notifyReady, .report(.reloaded(number), to: waiting.taken()),
                .reportResources(number),
            ]
        case .starting, .running, .reloading: return []
        }
    }

    /// - Parameter askers: those whose reload has not begun. No transition follows.
    mutating func stop(_ ending: Ending, answering askers: [Asker]) -> [Action] {
        let report = Action.report(.stopping(ending), to: waiting.taken() + reading.taken() + askers)
        switch phase {
        case .starting(let current, nil), .running(let current): return [report, .end(current)]
        case .starting(let current, let next?), .reloading(let current, let next):
            return [report, .dispose(next), .end(current)]
        }
    }
}

extension Array {
    /// Empties the array and returns what it contained.
    fileprivate mutating func taken() -> [Element] {
        defer { self = [] }
        return self
    }
}

extension ReloadState.Outcome: Equatable where Mistakes: Equatable {}
extension ReloadState.Action: Equatable where Config: Equatable, Mistakes: Equatable, Asker: Equatable {}
