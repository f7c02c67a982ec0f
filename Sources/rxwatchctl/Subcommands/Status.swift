import RxCommandLine
import RxConfigCommands

extension Subcommand {
    static let status = Subcommand(
        "status", "print the status of the daemon, or of one of its sources and pipelines", [.node], [.json, .control],
        example: "rxwatchctl status api-down"
    ) { arguments throws(UsageError) in
        let node = arguments.operands.first
        return try ControlClient(arguments).run(.status(node: node), asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let node = optional(
        "NODE", "the name of a source or pipeline; default: the daemon and all nodes")
}
