import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let sync = Subcommand(
        "sync", "wait until all events so far are processed", [], [.timeout, .json, .control],
        example: "rxwatchctl sync --timeout 1min"
    ) { arguments throws(UsageError) in
        let timeout = try arguments.wait()
        return try ControlClient(arguments).run(
            .sync(timeout: timeout / .seconds(1)), within: timeout + .seconds(10),
            waitingFor: "everything to be settled")
    }
}
