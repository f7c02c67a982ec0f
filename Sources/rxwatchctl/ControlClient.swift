import Glibc
import RxControl
import RxLinux
import RxPipelines

/// Sends requests to the running daemon.
struct ControlClient {
    /// Longer than the service manager waits for a reload.
    private static let timeout = Duration.seconds(60)

    /// The path of the daemon's control socket.
    let path: String

    /// Sends a request, and prints the answer.
    ///
    /// - Returns: the exit code of the answer.
    func run(_ request: ControlRequest, asJSON: Bool) -> Int32 {
        let bytes: [UInt8]
        do {
            bytes = try LocalCall.ask(request.line, at: path, within: Self.timeout)
        } catch {
            let hint =
                error.number == EACCES
                ? "connect as root or as the user that the daemon runs as" : "is rxwatchd running?"
            StandardStream.error.print("rxwatchctl: \(error); \(hint)")
            return ExitCode.failure
        }
        guard let answer = ControlAnswer(bytes) else {
            StandardStream.error.print("rxwatchctl: the answer at \(path) is not one of rxwatchd")
            return ExitCode.failure
        }
        answer.print(asJSON: asJSON)
        return answer.exitCode
    }
}
