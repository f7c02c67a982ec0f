import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let fire = Subcommand(
        "fire", "make a source of kind interval, http or command emit or poll now, and print its event", [.source],
        [.timeout, .json, .control], example: "rxwatchctl fire api"
    ) { arguments throws(UsageError) in
        let (source, timeout) = (arguments.operands[0], try arguments.wait())
        return try ControlClient(arguments).run(
            .fire(node: source, timeout: timeout / .seconds(1)),
            within: timeout + .seconds(10), waitingFor: "the event of \(source)")
    }
}

extension Operand {
    fileprivate static let source = required("SOURCE", "the name of a source of kind interval, http or command")
}
