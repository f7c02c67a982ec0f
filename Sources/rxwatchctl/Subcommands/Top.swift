import Dispatch
import FoundationEssentials
import Glibc
import RxCommandLine
import RxControl
import RxEngine
import RxEngineSections

extension Subcommand {
    static let top = Subcommand(
        "top", "show a table of the sources and pipelines, updated each second", [], [.control],
        example: "rxwatchctl top"
    ) { arguments throws(UsageError) in
        // Made for each attempt: the daemon may start later, at another socket.
        let client: @Sendable () throws -> ControlClient = { try ControlClient(arguments) }
        return MainActor.assumeIsolated {
            guard let screen = FullScreen.begin() else {
                StandardStream.error.print(
                    "rxwatchctl: top needs a terminal; rxwatchctl status prints the same once", in: .red)
                return ExitCode.failure
            }
            Top(client, screen).run()
        }
    }
}

/// The table of `rxwatchctl top`.
@MainActor
private final class Top {
    private let client: @Sendable () throws -> ControlClient
    private let screen: FullScreen
    private let table: TerminalTable<SectionTitle, TopState.Row>
    /// The chosen node whose status is shown; `nil` for none.
    private let detailed = BehaviorRelay<String?>(value: nil)
    private let bag = DisposeBag()

    init(_ client: @escaping @Sendable () throws -> ControlClient, _ screen: FullScreen) {
        (self.client, self.screen) = (client, screen)
        table = TerminalTable(
            columns: [TerminalColumn("", text: \TopState.Row.text)], size: screen.size,
            title: { $0.value.isEmpty ? nil : $0.value }
        ) { screen.write($0) }
    }

    /// Shows the table until the user leaves, and ends the process.
    func run() -> Never {
        let answers = statuses
        let changes = Observable<TopState.Change>.merge(
            answers, screen.keys.map { .key($0) }.catchAndReturn(.key(.interrupt)), screen.sizes.map { .size($0) })
        let states = changes.scan(into: TopState(size: screen.size)) { $0.apply($1) }.share(replay: 1)
        states.map { $0.showsDetail ? $0.chosen : nil }.distinctUntilChanged().bind(to: detailed).disposed(by: bag)
        states.map(\.size).distinctUntilChanged().skip(1).asDriver(onErrorDriveWith: .empty())
            .drive(onNext: { [table] in table.resize(to: $0) }).disposed(by: bag)
        states.filter(\.isOver).take(1).asDriver(onErrorDriveWith: .empty())
            .drive(onNext: { [screen, table] _ in
                table.close()
                screen.end()
                exit(ExitCode.success)
            }).disposed(by: bag)
        states.map(\.sections).asDriver(onErrorJustReturn: []).drive(table.rx.sections).disposed(by: bag)
        dispatchMain()
    }

    /// The status of the daemon each second, and of the chosen node, at once when another one is chosen.
    private var statuses: Observable<TopState.Change> {
        let queue = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.top")
        let ticks = Observable<Int>.timer(.seconds(0), period: .seconds(1), scheduler: queue).map { _ in }
        return Observable.merge(ticks, detailed.skip(1).map { _ in }.observe(on: queue))
            .map { [client, detailed] in Self.ask(client, about: detailed.value) }
            .concatMap { Observable.from($0) }
            .observe(on: MainScheduler.instance)
    }

    /// How long the daemon may take before the table says that it does not answer.
    private nonisolated static let answerTimeout = Duration.seconds(3)

    private nonisolated static func ask(
        _ makeClient: () throws -> ControlClient, about node: String?
    ) -> [TopState.Change] {
        let now = Date().timeIntervalSince1970
        do {
            let client = try makeClient()
            let status = TopState.Change.status(
                try client.ask(.status(), within: answerTimeout), at: now)
            guard let node else { return [status] }
            return [status, .detail(try client.ask(.status(node: node), within: answerTimeout))]
        } catch {
            return [.failed("\(error); trying again each second", at: now)]
        }
    }
}
