import Dispatch
import FoundationEssentials
import Glibc
import RxCommandLine
import RxControl
import RxEngine
import RxEngineSections
import RxSystem

extension Subcommand {
    static let marbles = Subcommand(
        "marbles", "show the events of sources and pipelines as marble diagrams that grow", [.nodes],
        [.frame, .control],
        example: "rxwatchctl marbles --frame 250ms certs renew"
    ) { arguments throws(UsageError) in
        let frame = try arguments.duration(.frame)
        guard frame >= .milliseconds(10) else { throw UsageError("--frame is shorter than 10ms") }
        let client = try ControlClient(arguments)
        let nodes: [String]
        if !arguments.operands.isEmpty, let code = client.reportHanging() { return code }
        do throws(SystemError) {
            nodes = try arguments.operands.isEmpty ? client.nodes() : arguments.operands
        } catch {
            return client.report(error)
        }
        return MainActor.assumeIsolated {
            MarblesScreen(client, arguments.operands, rows: nodes, frame, FullScreen.begin()).run()
        }
    }
}

extension CommandLineOption {
    fileprivate static let frame = value("frame", "DURATION", default: "1s", "the time that a character stands for")
}

/// The output of `rxwatchctl marbles`: on a terminal redrawn with each frame, otherwise printed when a line is full.
@MainActor
private final class MarblesScreen {
    /// The width of the diagrams that are not on a terminal.
    private static let width = 100

    /// A line of the screen.
    private struct Row: Identifiable, Equatable {
        let id: Int
        let text: String
    }

    private let client: ControlClient
    private let wanted: [String]
    private let frame: Duration
    private let screen: FullScreen?
    private let table: TerminalTable<SectionTitle, Row>
    private var marbles: LiveMarbles
    private let hasColor = StandardStream.output.hasColor
    private let bag = DisposeBag()

    init(_ client: ControlClient, _ wanted: [String], rows: [String], _ frame: Duration, _ screen: FullScreen?) {
        (self.client, self.wanted, self.frame, self.screen) = (client, wanted, frame, screen)
        marbles = LiveMarbles(rows, frame: frame, start: Date().timeIntervalSince1970)
        let hasColor = hasColor
        table = TerminalTable(
            columns: [TerminalColumn("", text: \Row.text)], size: screen?.size ?? .standard, title: { _ in nil },
            style: { hasColor ? LiveMarbles.color(of: $0.text)?.rawValue ?? "" : "" }
        ) { screen?.write($0) }
    }

    /// Shows the diagrams until the user leaves or the daemon ends, and ends the process.
    func run() -> Never {
        client.lines(of: .tap(nodes: wanted, lifecycle: true))
            .observe(on: MainScheduler.instance)
            .subscribe(
                onNext: { line in MainActor.assumeIsolated { self.receive(line) } },
                onError: { error in
                    MainActor.assumeIsolated {
                        self.end { self.client.report(error as? SystemError ?? SystemError(EIO, "\(error)")) }
                    }
                },
                onCompleted: { MainActor.assumeIsolated { self.end { ExitCode.success } } }
            ).disposed(by: bag)
        Observable<Int>.interval(frame.interval, scheduler: MainScheduler.instance)
            .subscribe(onNext: { _ in MainActor.assumeIsolated { self.draw() } }).disposed(by: bag)
        if let screen {
            screen.sizes.subscribe(onNext: { size in MainActor.assumeIsolated { self.table.resize(to: size) } })
                .disposed(by: bag)
            screen.keys.filter { [.interrupt, .escape, .character("q")].contains($0) }
                .subscribe(onNext: { _ in MainActor.assumeIsolated { self.end { ExitCode.success } } })
                .disposed(by: bag)
        } else {
            SignalPipe.observe([SIGINT, SIGTERM, SIGHUP])
                .subscribe(onNext: { _ in MainActor.assumeIsolated { self.end { ExitCode.success } } })
                .disposed(by: bag)
        }
        dispatchMain()
    }

    private func receive(_ line: [UInt8]) {
        if let refusal = ControlAnswer(line) {
            screen?.end()
            exit(refusal.print(asJSON: false))
        }
        marbles.receive(line)
    }

    private func draw() {
        marbles.advance(to: Date().timeIntervalSince1970)
        guard screen != nil else {
            if let lines = marbles.takeLines(width: Self.width) { printed(lines + [""]) }
            return
        }
        marbles.forgetHidden(width: table.size.columns)
        let lines = marbles.lines(width: table.size.columns, height: table.size.rows)
        table.show([Section(SectionTitle("diagrams"), items: lines.enumerated().map { Row(id: $0, text: $1) })])
    }

    /// Leaves the diagrams on the terminal, and ends the process.
    private func end(_ code: () -> Int32) {
        marbles.advance(to: Date().timeIntervalSince1970)
        table.close()
        screen?.end()
        printed(marbles.lines(width: screen.map(\.size.columns) ?? Self.width))
        exit(code())
    }

    private func printed(_ lines: [String]) {
        let shown = lines.map { line in
            let text = line.shownOnTerminal(indentedBy: 0)
            return hasColor ? LiveMarbles.color(of: line)?.applied(to: text) ?? text : text
        }
        if StandardStream.output.print(shown.joined(separator: "\n")) != nil {
            exit(ExitCode.failure)
        }
    }
}
