import RxDiagnostics
import RxEngine
import RxLinux
import RxPipelines

/// Performs the commands of the main thread, one after the other, until one of them stops the daemon. ``ReloadState``
/// decides what to do.
final class ReloadLoop {
    private typealias State = ReloadState<Plan, Diagnostics, Commands.Reply>

    private var state = State()
    /// The generation that runs and the one that is being armed, by number.
    private var live: [Int: Generation] = [:]
    private let commands: Commands
    private let reader: ConfigReader
    private let generations: Generations
    private let stopSequence: StopSequence
    private let reports: ReloadReports

    init(
        _ commands: Commands, _ reader: ConfigReader, _ generations: Generations,
        _ stopSequence: StopSequence, _ reports: ReloadReports
    ) {
        self.commands = commands
        self.reader = reader
        self.generations = generations
        self.stopSequence = stopSequence
        self.reports = reports
    }

    /// Runs generation after generation, the first with this plan.
    ///
    /// - Returns: why the daemon stops. By then everything is stopped.
    func run(startingWith plan: Plan) -> Ending {
        perform(state.begin(with: plan))
        while true {
            switch commands.next() {
            case .armed(let number, let failures): perform(state.armed(number, failures: failures))
            case .reload: perform(state.reload(for: commands.takeReplies()))
            case .stop(let ending):
                perform(state.stop(ending, answering: commands.close(refusing: reports.shown(ending.refusal))))
                return ending
            }
        }
    }

    private func perform(_ actions: [State.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: State.Action) {
        switch action {
        case .start(let number, let plan, let origin): live[number] = start(number, plan, origin)
        case .dispose(let number): live.removeValue(forKey: number)?.dispose()
        case .run(let number, let previous):
            guard let next = live[number] else { return }
            generations.run(next, replacing: previous.flatMap { live.removeValue(forKey: $0) })
        case .readConfig: perform(readConfig())
        case .notifyReloading: try? ServiceManager.notify(.reloading)
        case .notifyReady: generations.reporter.notifyReady()
        case .storeHandover: generations.storeHandover()
        case .report(.ready(let number), let askers):
            reports.ready(live[number]?.plan.summary ?? "", to: askers)
        case .report(.reloaded(let number), let askers):
            reports.reloaded(live[number]?.plan.summary ?? "", to: askers)
        case .report(.refused(let failures), let askers): reports.refused(failures, to: askers)
        case .report(.badConfig(let mistakes), let askers): reports.badConfig(mistakes, to: askers)
        case .report(.stopping(let ending), let askers): reports.stopping(ending, to: askers)
        case .reportResources(let number): if let running = live[number] { generations.reportResources(of: running) }
        case .end(let number):
            if let last = live.removeValue(forKey: number) { stopSequence.stop(last) }
        }
    }

    private func readConfig() -> [State.Action] {
        do {
            return state.configIsGood(try reader.read(isReload: true))
        } catch {
            return state.configIsBad(error)
        }
    }

    private func start(_ number: Int, _ plan: Plan, _ origin: State.Origin) -> Generation {
        switch origin {
        case .previousProcess: return generations.startFirst(number, plan)
        case .replacing(let running): return generations.start(number, plan, replacing: live[running])
        }
    }
}
