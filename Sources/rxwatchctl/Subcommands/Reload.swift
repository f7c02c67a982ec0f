import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let reload = Subcommand(
        "reload", "reload the configuration of the daemon; one with errors changes nothing", [], [.json, .control],
        example: "rxwatchctl reload"
    ) { arguments throws(UsageError) in
        try ControlClient(arguments).run(
            .reload, within: ControlRequest.longestReload,
            waitingFor: "the new configuration to run")
    }
}
