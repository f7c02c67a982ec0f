import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let status = Subcommand(
        "status", "print the status of the daemon, or of one of its sources, pipelines or sinks", [.node],
        [.json, .control],
        example: "rxwatchctl status api-down"
    ) { arguments throws(UsageError) in
        let (node, columns) = (arguments.operands.first, StandardStream.output.textColumns)
        return try ControlClient(arguments).run(
            .status(node: node, columns: columns))
    }
}

extension Operand {
    fileprivate static let node = optional(
        "NODE", "the name of a source, pipeline or sink, such as api-down/http; default: the daemon and all nodes")
}
