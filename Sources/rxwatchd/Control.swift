import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines

/// Answers what operators ask at the control socket.
struct Control: Sendable {
    /// Asks for a reload, and answers when it is over.
    let reload: @Sendable (@escaping Commands.Reply) -> Void
    /// How things stand.
    let status: @Sendable () -> ControlAnswer

    /// Where the socket is: in the directory that the service manager made for it, or else where rxwatchctl looks. `nil`
    /// where there is no such directory: whoever runs the daemon by hand can talk to it by signals.
    static var path: String? {
        let directory = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? "/run/rxwatchd"
        return access(directory, W_OK) == 0 ? "\(directory)/control" : nil
    }

    /// Answers a request, unless it is somebody's who has no business here.
    func answer(_ request: LocalRequest) {
        @Sendable func tell(_ answer: ControlAnswer) { request.answer(answer.bytes) }
        guard [0, geteuid()].contains(request.peer.user) else {
            return tell(
                ControlAnswer(
                    "user \(request.peer.user) may not ask; root may, and the user that the daemon runs as",
                    exitCode: ExitCode.failure))
        }
        do {
            switch try ControlRequest(line: request.text) {
            case .reload: reload(tell)
            case .status: tell(status())
            }
        } catch {
            tell(ControlAnswer(error.message, exitCode: ExitCode.failure))
        }
    }
}
