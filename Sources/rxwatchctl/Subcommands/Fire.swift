import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let fire = Subcommand(
        "fire", "make a source with a period emit or poll at once", [.source], [.json, .control],
        example: "rxwatchctl fire api"
    ) { arguments throws(UsageError) in
        let request = ControlRequest.fire(node: arguments.operands[0])
        return try ControlClient(arguments).run(request, asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let source = required("SOURCE", "the name of a source of kind interval, http or command")
}
