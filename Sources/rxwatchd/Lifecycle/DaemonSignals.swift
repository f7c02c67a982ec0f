import Dispatch
import Glibc
import RxControl
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// SIGHUP reloads, SIGTERM and SIGINT stop; a second SIGTERM or SIGINT ends the process at once.
final class DaemonSignals: Sendable {
    private static let stops = [SIGTERM, SIGINT]

    private let commands: Commands
    private let stopCount = Atomic(0)

    /// Blocks the signals until ``observe()`` reads them. Called before the process has a second thread.
    init(_ commands: Commands) throws(SystemError) {
        self.commands = commands
        try Signals.block(Self.stops + [SIGHUP])
    }

    func observe() -> any Disposable {
        Signals.observe(Self.stops + [SIGHUP], on: DispatchQueue(label: "rx.signals"))
            .subscribe(onNext: { self.receive($0) }, onError: { self.commands.send(.stop(.failure("\($0)"))) })
    }

    private func receive(_ signal: Int32) {
        if signal == SIGHUP { return commands.send(.reload) }
        if stopCount.add(1, ordering: .relaxed).oldValue > 0 { _exit(ExitCode.failure) }
        commands.send(.stop(.signal(signal)))
    }

    /// Has the next stop signal end the process at once. Called when nobody observes the signals any more.
    static func exitOnNextStop() {
        for number in stops { signal(number) { _ in _exit(ExitCode.failure) } }
        try? Signals.unblock(stops)
    }
}
