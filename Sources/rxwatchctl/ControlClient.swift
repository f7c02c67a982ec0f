import Glibc
import RxControl
import RxLinux
import RxPipelines

/// A client of the daemon's control socket.
struct ControlClient {
    /// Longer than `TimeoutStartSec=` of the unit, which limits a reload, too.
    private static let timeout = Duration.seconds(60)

    /// The path of the daemon's control socket.
    let path: String

    /// Sends a request and prints the answer.
    ///
    /// - Returns: the exit code of the answer.
    func run(_ request: ControlRequest, asJSON: Bool) -> Int32 {
        let bytes: [UInt8]
        do {
            bytes = try LocalCall.ask(request.line, at: path, within: Self.timeout)
        } catch {
            let hint =
                error.number == EACCES
                ? "connect as root or as the user of the daemon" : "is rxwatchd running?"
            StandardStream.error.print("rxwatchctl: \(error); \(hint)")
            return ExitCode.failure
        }
        guard let answer = ControlAnswer(bytes) else {
            StandardStream.error.print("rxwatchctl: the answer at \(path) is not from rxwatchd; check --control")
            return ExitCode.failure
        }
        answer.print(asJSON: asJSON)
        return answer.exitCode
    }
}
