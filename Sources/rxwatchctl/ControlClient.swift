import Glibc
import RxCommandLine
import RxControl
import RxEngine
import RxSystem

/// A client of the daemon's control socket.
struct ControlClient {
    /// How long an answer may take that the daemon has at hand: a person wants to know soon that it hangs.
    static let timeout = Duration.seconds(8)
    /// How long an answer may take for which the daemon reads a configuration or a database.
    static let longTimeout = Duration.seconds(60)
    /// The most bytes of a line that the daemon sends.
    private static let longestLine = 16 << 20

    /// The path in the environment; empty if there is none.
    private static var ofEnvironment: String { getenv("RXWATCHD_CONTROL").map { String(cString: $0) } ?? "" }

    /// The path of the daemon's control socket.
    private let path: String
    /// Whether answers are printed as JSON.
    private let asJSON: Bool

    /// A client of the daemon at the socket that the arguments name, or else the environment, or else of the daemon of the
    /// service, or else of the only one that was started by hand.
    init(_ arguments: Arguments) throws(UsageError) {
        asJSON = arguments.contains(.json)
        let given = arguments[.control].isEmpty ? Self.ofEnvironment : arguments[.control]
        guard given.isEmpty, access(ControlSocket.ofService, F_OK) != 0 else {
            path = given.isEmpty ? ControlSocket.ofService : given
            return
        }
        let paths = ControlSocket.ofProcesses
        if paths.count > 1 {
            throw UsageError(
                "several daemons run that were started by hand",
                hint: "set RXWATCHD_CONTROL, or write --control with, one of \(paths.joined(separator: ", "))")
        }
        path = paths.first ?? ControlSocket.ofService
    }

    /// Prints an error of the connection, and what to do, as JSON if asked for.
    ///
    /// - Returns: the exit code.
    func report(_ error: SystemError) -> Int32 {
        let message = "rxwatchctl: \(error); \(Self.hint(for: error, at: path))"
        return ControlAnswer(message, exitCode: ExitCode.failure).print(asJSON: asJSON)
    }

    /// What to do about an error of the connection to the socket at this path.
    static func hint(for error: SystemError, at path: String) -> String {
        switch error.number {
        case EACCES: ControlSocket.rightHint(isOfService: path == ControlSocket.ofService)
        // What the socket has answered is not an answer of rxwatchd.
        case EPROTO: "check --control"
        case ECONNRESET: "see journalctl -u rxwatchd"
        case ETIMEDOUT:
            path == ControlSocket.ofService
                ? "the daemon is busy or hangs: see 'systemctl status rxwatchd' and 'journalctl -u rxwatchd'; its "
                    + "watchdog restarts it if pipelines make no progress, and 'systemctl restart rxwatchd' does so now"
                : "the daemon is busy or hangs: see what it has printed; if it does not recover, end it, with SIGKILL "
                    + "if it ignores SIGTERM, and start it again"
        default:
            path == ControlSocket.ofService
                ? "start the daemon with 'systemctl start rxwatchd'" : "start the daemon, or check --control"
        }
    }

    /// Sends a request, and prints the lines that follow until the daemon stops, which is an error, or the reader of
    /// standard output ends.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - shown: returns what to print for a line; `nil` for nothing.
    /// - Returns: the exit code.
    func follow(_ request: ControlRequest, _ shown: ([UInt8]) -> String?) -> Int32 {
        if let code = reportHanging() { return code }
        var refusal: ControlAnswer?
        let hasDaemonEnded: Bool
        do {
            hasDaemonEnded = try LocalCall.follow(request.line, at: path, within: Self.timeout, output: STDOUT_FILENO) {
                line in
                refusal = ControlAnswer(line)
                guard refusal == nil else { return false }
                guard let text = shown(line) else { return true }
                return StandardStream.output.print(text) == nil
            }
        } catch {
            return report(error)
        }
        if let refusal { return refusal.print(asJSON: asJSON) }
        guard hasDaemonEnded else { return ExitCode.success }
        StandardStream.error.print("rxwatchctl: the daemon at \(path) has stopped", in: .red)
        return ExitCode.failure
    }

    /// Reports a daemon that answers nothing: one that is followed would look as if nothing happened in it.
    ///
    /// - Returns: the exit code; `nil` if the daemon answers, or if following it reports a better error.
    func reportHanging() -> Int32? {
        do throws(SystemError) {
            _ = try WaitIndicator.during("the daemon") { () throws(SystemError) in try ask(.graph) }
        } catch  where error.number == ETIMEDOUT {
            return report(error)
        } catch {
            // Following it says what is wrong.
        }
        return nil
    }

    /// The lines that follow a request, until the daemon stops.
    func lines(of request: ControlRequest) -> Observable<[UInt8]> {
        LineReader.answers(to: request.line, at: path, within: Self.timeout, limit: Self.longestLine).map(\.bytes)
    }

    /// The answer to a request.
    func ask(_ request: ControlRequest, within timeout: Duration = timeout) throws(SystemError) -> ControlAnswer {
        let bytes = try LocalCall.ask(request.line, at: path, within: timeout)
        if bytes.isEmpty { throw SystemError(ECONNRESET, "waiting for the answer at \(path)") }
        guard let answer = ControlAnswer(bytes) else {
            throw SystemError(EPROTO, "the answer at \(path) is not from rxwatchd")
        }
        return answer
    }

    /// The names of the daemon's sources and pipelines.
    func nodes() throws(SystemError) -> [String] {
        let nodes = try ask(.graph).details["nodes"]?.array ?? []
        return nodes.filter { $0["kind"] != "sink" }.compactMap { $0["name"]?.string }
    }

    /// Sends a request and prints the answer.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: how long to wait for the answer.
    ///   - subject: what a person waits for who sees no answer.
    ///   - printing: returns what to print in place of the message of an answer; `nil` for the message.
    /// - Returns: the exit code of the answer.
    func run(
        _ request: ControlRequest, within timeout: Duration = timeout,
        waitingFor subject: String = "the daemon", printing: (ControlAnswer) -> String? = { _ in nil }
    ) -> Int32 {
        run(request, within: timeout, waitingFor: subject) { answer in
            let shown = asJSON ? nil : printing(answer)
            let printed = shown.map { ControlAnswer($0, exitCode: answer.exitCode) } ?? answer
            return printed.print(asJSON: asJSON, breaksLines: shown == nil)
        }
    }

    /// Sends a request; an error is printed as by ``report(_:)``.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: how long to wait for the answer.
    ///   - subject: what a person waits for who sees no answer.
    ///   - handling: prints the answer and returns the exit code.
    /// - Returns: the exit code.
    func run(
        _ request: ControlRequest, within timeout: Duration = timeout, waitingFor subject: String = "the daemon",
        handling: (ControlAnswer) -> Int32
    ) -> Int32 {
        let answer = Result { () throws(SystemError) in
            try WaitIndicator.during(subject) { () throws(SystemError) in try ask(request, within: timeout) }
        }
        switch answer {
        case .success(let answer): return handling(answer)
        case .failure(let error): return report(error)
        }
    }
}
