import Dispatch
import Glibc
import RxControl
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// The daemon's signal handling: SIGHUP reloads, SIGTERM and SIGINT stop; a second SIGTERM or SIGINT exits at once.
final class DaemonSignals: Sendable {
    private static let stops = [SIGTERM, SIGINT]

    private let commands: CommandQueue
    private let stopCount = Atomic(0)

    /// Blocks the signals until ``observe()`` reads them.
    init(_ commands: CommandQueue) throws(SystemError) {
        self.commands = commands
        try Self.block()
    }

    /// Blocks the signals, so that they stay pending. Called before the process has a second thread.
    static func block() throws(SystemError) {
        try ProcessSignals.block(stops + [SIGHUP])
    }

    /// Unblocks the signals, in a process that is not the daemon.
    static func unblock() throws(SystemError) {
        try ProcessSignals.unblock(stops + [SIGHUP])
    }

    /// Turns signals into commands until disposed.
    func observe() -> any Disposable {
        ProcessSignals.observe(Self.stops + [SIGHUP], on: DispatchQueue(label: "rx.signals"))
            .subscribe(onNext: { self.receive($0) }, onError: { self.commands.send(.stop(.failure("\($0)"))) })
    }

    private func receive(_ signal: Int32) {
        if signal == SIGHUP { return commands.send(.reload) }
        if stopCount.add(1, ordering: .relaxed).oldValue > 0 {
            Command.killAll()
            _exit(ExitCode.failure)
        }
        commands.send(.stop(.signal(signal)))
    }

    /// Makes the next stop signal exit the process at once. Called when the signals are no longer observed.
    static func exitOnNextStop() {
        for number in stops { signal(number) { _ in _exit(ExitCode.failure) } }
        try? ProcessSignals.unblock(stops)
    }
}
