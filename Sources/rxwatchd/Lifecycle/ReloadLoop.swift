import RxDiagnostics
import RxEngine
import RxLinux
import RxPipelines

/// Performs the commands of the main thread one after the other, until one of them stops the daemon. ``ReloadState``
/// decides which actions a command leads to.
final class ReloadLoop {
    private typealias State = ReloadState<Plan, Diagnostics, CommandQueue.Reply>

    private var state = State()
    /// The running generation and the one that is being armed, by number.
    private var live: [Int: Generation] = [:]
    /// What the generation that is being armed changes.
    private var changes: GraphChanges?
    private let commands: CommandQueue
    private let reader: ConfigReader
    private let generations: GenerationRunner
    private let stopSequence: StopSequence
    private let reports: ReloadReports
    private let arming = ArmingTimeout()

    init(
        _ commands: CommandQueue, _ reader: ConfigReader, _ generations: GenerationRunner,
        _ stopSequence: StopSequence, _ reports: ReloadReports
    ) {
        self.commands = commands
        self.reader = reader
        self.generations = generations
        self.stopSequence = stopSequence
        self.reports = reports
    }

    /// Runs generation after generation, the first with this plan. Returns when everything is stopped.
    ///
    /// - Returns: the reason for the stop.
    func run(startingWith plan: Plan) -> StopReason {
        perform(state.begin(with: plan))
        while true {
            switch commands.next() {
            case .armed(let number, let failures): perform(state.armed(number, failures: failures))
            case .reload: perform(state.reload(for: commands.takeReplies()))
            case .stop(let reason):
                perform(
                    state.stop(reason, answering: commands.close(refusing: reports.secrets.hidden(in: reason.refusal))))
                return reason
            }
        }
    }

    private func perform(_ actions: [State.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: State.Action) {
        switch action {
        case .start(let number, let plan, let origin):
            let generation = start(number, plan, origin)
            live[number] = generation
            arming.begin { [graph = generation.graph] in graph.armedCount + ProcessStatistics.watchCount() }
        case .dispose(let number): live.removeValue(forKey: number)?.dispose()
        case .run(let number, let previous):
            guard let next = live[number] else { return }
            generations.run(next, replacing: previous.flatMap { live.removeValue(forKey: $0) })
        case .readConfig: perform(readConfig())
        case .notifyReloading: try? ServiceManager.notify(.reloading)
        case .notifyReady:
            arming.end()
            generations.reporter.notifyReady()
        case .storeHandover: generations.storeHandover()
        case .report(.ready(let number), let requesters):
            reports.ready(live[number]?.plan.summary ?? "", changes.take(), to: requesters)
        case .report(.reloaded(let number), let requesters):
            reports.reloaded(live[number]?.plan.summary ?? "", changes.take(), to: requesters)
        case .report(.refused(let failures), let requesters): reports.refused(failures, to: requesters)
        case .report(.badConfig(let errors), let requesters): reports.badConfig(errors, to: requesters)
        case .report(.stopping(let reason), let requesters): reports.stopping(reason, to: requesters)
        case .reportResources(let number): if let running = live[number] { generations.reportResources(of: running) }
        case .end(let number):
            arming.end()
            if let last = live.removeValue(forKey: number) { stopSequence.stop(last) }
        }
    }

    private func readConfig() -> [State.Action] {
        do {
            return state.configIsGood(try reader.read(for: .reload))
        } catch {
            return state.configIsBad(error)
        }
    }

    private func start(_ number: Int, _ plan: Plan, _ origin: State.Origin) -> Generation {
        switch origin {
        case .previousProcess: return generations.startFirst(number, plan)
        case .replacing(let running):
            changes = live[running].map { $0.graph.changes(from: $0.plan, to: plan) }
            return generations.start(number, plan, replacing: live[running])
        }
    }
}
