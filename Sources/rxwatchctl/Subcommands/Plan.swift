import RxCommandLine
import RxConfigCommands

extension Subcommand {
    static let plan = Subcommand(
        "plan", "print what a reload of the daemon would keep, change, start and stop", [], [.json, .control],
        example: "rxwatchctl plan"
    ) { arguments throws(UsageError) in
        try ControlClient(arguments).run(
            .plan, within: ControlClient.longTimeout, waitingFor: "the comparison")
    }
}
