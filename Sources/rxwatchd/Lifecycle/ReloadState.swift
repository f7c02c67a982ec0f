/// The protocol of starting, reloading and stopping: which generation runs, which one is being armed, and which
/// requests wait for it.
///
/// A value: each transition returns the actions to perform, in order, and ``ReloadLoop`` performs them. A generation is
/// a number here, which is never used twice; a configuration, its errors and the requester of a reload are opaque
/// types.
///
/// *Starting 1 to 2* means that generation 1 passes events while 2, which is to replace it, is being armed.
///
/// | phase | configuration is good | configuration is bad | armed | armed, sources failed | stop |
/// |---|---|---|---|---|---|
/// | starting 1 | starting 1 to 2 | starting 1 | running 1 | running 1 | ends 1 |
/// | starting 1 to 2 | starting 1 to 3, disposes 2 | starting 1 to 2 | running 2 | running 2 | disposes 2, ends 1 |
/// | running 1 | reloading 1 to 2 | running 1 | | | ends 1 |
/// | reloading 1 to 2 | reloading 1 to 3, disposes 2 | reloading 1 to 2 | running 2 | running 1, disposes 2 | disposes 2, ends 1 |
struct ReloadState<Config, ConfigErrors, Requester> {
    /// An action to perform after a transition.
    enum Action {
        case start(Int, Config, Origin)
        /// Disposes of a generation that has not run.
        case dispose(Int)
        /// Passes events to the generation with this number, whose sources are armed, and no longer to the other one.
        case run(Int, replacing: Int?)
        /// Reads the configuration, and passes the result to ``configIsGood(_:)`` or ``configIsBad(_:)``.
        case readConfig
        case notifyReloading
        case notifyReady
        /// Passes the service manager what the next process takes over.
        case storeHandover
        /// Records the outcome of a start, a reload or a stop, and answers its requesters.
        case report(Outcome, to: [Requester])
        /// Starts the periodic records of the live objects of this generation.
        case reportResources(Int)
        /// Drains and stops this generation. No action follows.
        case end(Int)
    }

    /// What a starting generation continues from.
    enum Origin: Equatable {
        case previousProcess
        /// A generation that passes events, and continues until this one is armed.
        case replacing(Int)
    }

    /// The outcome of a start, a reload or a stop, for its record and its requesters.
    enum Outcome {
        case ready(Int)
        case reloaded(Int)
        /// The sources with these names could not be armed; the previous generation continues.
        case refused([String])
        case badConfig(ConfigErrors)
        case stopping(StopReason)
    }

    /// The generation that runs, and the one that is being armed.
    private enum Phase {
        /// The first generation, which passes events while its sources are being armed, and the one that is to replace
        /// it.
        case starting(Int, next: Int? = nil)
        case running(Int)
        case reloading(Int, next: Int)
    }

    private var phase = Phase.starting(1)
    /// The number of the newest generation.
    private var latest = 1
    /// The requests whose reload is reading the configuration.
    private var reading: [Requester] = []
    /// The requests that wait until the next generation is armed.
    private var waiting: [Requester] = []

    /// Starts the first generation. Called once, before all other transitions.
    mutating func begin(with config: Config) -> [Action] {
        [.start(latest, config, .previousProcess)]
    }

    /// A reload was requested. ``configIsGood(_:)`` or ``configIsBad(_:)`` follows.
    mutating func reload(for requesters: [Requester]) -> [Action] {
        reading += requesters
        return [.notifyReloading, .readConfig]
    }

    /// The configuration was read. It supersedes a configuration that is being armed, so requests for that get the
    /// answer for this one.
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

    /// The configuration has errors. Nothing changes: earlier requests wait for the configuration that is being armed.
    mutating func configIsBad(_ errors: ConfigErrors) -> [Action] {
        let report = Action.report(.badConfig(errors), to: reading.taken())
        switch phase {
        case .running: return [.notifyReady, report]
        // The service manager is notified when the generation is armed.
        case .starting, .reloading: return [report]
        }
    }

    /// All sources of the generation are armed, except for those that `failures` name. Ignored if a later generation
    /// has superseded this one.
    mutating func armed(_ number: Int, failures: [String]) -> [Action] {
        switch phase {
        // No generation is armed that could continue instead: the sources that failed are retried.
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

    /// The daemon stops. No transition follows.
    ///
    /// - Parameters:
    ///   - reason: the reason for the stop.
    ///   - requesters: the requests whose reload has not begun.
    mutating func stop(_ reason: StopReason, answering requesters: [Requester]) -> [Action] {
        let report = Action.report(.stopping(reason), to: waiting.taken() + reading.taken() + requesters)
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

extension ReloadState.Outcome: Equatable where ConfigErrors: Equatable {}
extension ReloadState.Action: Equatable where Config: Equatable, ConfigErrors: Equatable, Requester: Equatable {}
