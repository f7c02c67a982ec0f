import Dispatch
import Glibc
import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// Answers the requests of rxwatchctl at the control socket.
struct Control: Sendable {
    /// Requests a reload, and answers when it is over.
    let reload: @Sendable (@escaping Commands.Reply) -> Void
    let status: @Sendable () -> ControlAnswer

    /// The path of the socket: in the directory that the service manager made for it, or else where rxwatchctl connects
    /// by default. `nil` if there is no such directory: a daemon that was started by hand is controlled by signals.
    private static var path: String? {
        let directory = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? "/run/rxwatchd"
        return access(directory, W_OK) == 0 ? "\(directory)/control" : nil
    }

    /// Answers requests until disposed. If the socket cannot be made, the daemon runs without it.
    func listen(_ recorder: Recorder) -> any Disposable {
        guard let path = Self.path else { return Disposables.create() }
        return LocalServer.requests(at: path, on: DispatchQueue(label: "rx.control"))
            .subscribe(
                onNext: { answer($0) },
                onError: { recorder.record(.error, .err, "\($0); rxwatchctl cannot reach this daemon") })
    }

    /// Answers a request of root or of the daemon's user, and refuses all others.
    private func answer(_ request: LocalRequest) {
        @Sendable func reply(_ answer: ControlAnswer) { request.answer(answer.bytes) }
        guard [0, geteuid()].contains(request.peer.user) else {
            return reply(
                ControlAnswer(
                    "permission denied: connect to the control socket as root or as the user that the daemon runs as",
                    exitCode: ExitCode.failure))
        }
        do {
            switch try ControlRequest(line: request.text) {
            case .reload: reload(reply)
            case .status: reply(status())
            }
        } catch {
            reply(ControlAnswer(error.message, exitCode: ExitCode.failure))
        }
    }
}
