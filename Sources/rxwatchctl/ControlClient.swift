import Glibc
import RxCommandLine
import RxControl
import RxLinux
import RxPipelines

/// A client of the daemon's control socket.
struct ControlClient {
    /// Longer than `TimeoutStartSec=` of the unit, which limits a reload, too.
    private static let timeout = Duration.seconds(60)

    /// The path of the daemon's control socket.
    private let path: String

    /// A client of the daemon at the socket that the arguments name, or else of the daemon of the service, or else of the
    /// only one that was started by hand.
    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments[.control].isEmpty, access(ControlSocket.ofService, F_OK) != 0 else {
            path = arguments[.control].isEmpty ? ControlSocket.ofService : arguments[.control]
            return
        }
        let paths = ControlSocket.ofProcesses
        if paths.count > 1 {
            throw UsageError(
                "several daemons run that were started by hand",
                hint: "write --control with one of \(paths.joined(separator: ", "))")
        }
        path = paths.first ?? ControlSocket.ofService
    }

    /// Sends a request and prints the answer.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - asJSON: whether to print the whole answer as JSON.
    ///   - printing: returns what to print in place of the message of an answer; `nil` for the message.
    /// - Returns: the exit code of the answer.
    func run(
        _ request: ControlRequest, asJSON: Bool, printing: (ControlAnswer) -> String? = { _ in nil }
    ) -> Int32 {
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
        if !asJSON, let text = printing(answer) {
            StandardStream.output.print(text)
        } else {
            answer.print(asJSON: asJSON)
        }
        return answer.exitCode
    }
}
