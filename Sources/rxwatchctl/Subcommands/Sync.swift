import RxCommandLine
import RxConfigCommands
import RxControl
import RxDiagnostics

extension Subcommand {
    static let sync = Subcommand(
        "sync", "wait until everything that happened before is settled", [], [.timeout, .json, .control],
        example: "rxwatchctl sync --timeout 1min"
    ) { arguments throws(UsageError) in
        let (timeout, longest) = (try arguments.duration(.timeout), Duration.seconds(ControlRequest.longestSync))
        guard timeout <= longest else {
            throw UsageError("--timeout is longer than \(SystemdDuration.format(longest))")
        }
        return try ControlClient(arguments).run(
            .sync(timeout: timeout / .seconds(1)), asJSON: arguments.contains(.json), within: timeout + .seconds(10))
    }
}

extension CommandLineOption {
    fileprivate static let timeout = value("timeout", "DURATION", default: "30s", "fail after this time, at most 100s")
}
