import RxCommandLine
import RxControl
import RxDiagnostics

extension CommandLineOption {
    static let control = value(
        "control", "PATH",
        "connect to the daemon at this socket; default: \(ControlSocket.ofService), or that of the only daemon that you "
            + "have started by hand")

    /// Of the commands that wait for events.
    static let timeout = value("timeout", "DURATION", default: "30s", "fail after this time, at most 100s")
}

extension Arguments {
    /// The value of ``CommandLineOption/timeout``.
    func wait() throws(UsageError) -> Duration {
        let (timeout, longest) = (try duration(.timeout), Duration.seconds(ControlRequest.longestWait))
        guard timeout <= longest else {
            throw UsageError("--timeout is longer than \(SystemdDuration.format(longest))")
        }
        return timeout
    }
}
