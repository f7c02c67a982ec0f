import RxCommandLine
import RxConfigCommands
import RxControl
import RxDiagnostics

extension Subcommand {
    static let spool = Subcommand(
        "spool", "list, show, try again or drop the events that wait for sinks", [.action, .sink, .ids],
        [.all, .limit, .json, .control],
        example: "rxwatchctl spool show --limit 5 api-down/http"
    ) { arguments throws(UsageError) in
        let request = try SpoolRequest(arguments)
        return try ControlClient(arguments).run(
            .spool(request), within: ControlClient.longTimeout)
    }
}

extension SpoolRequest {
    /// The request that the operands and options stand for.
    fileprivate init(_ arguments: Arguments) throws(UsageError) {
        let (action, rest) = (arguments.operands[0], Array(arguments.operands.dropFirst()))
        guard Self.actions.contains(action) else {
            throw UsageError("unknown action '\(action)'", hint: "write one of \(Self.actions.joined(separator: ", "))")
        }
        if action == "list" {
            self = .list
            guard rest.isEmpty else { throw UsageError("unexpected argument '\(rest[0])'") }
            return
        }
        guard let sink = rest.first else {
            throw UsageError("spool \(action) needs a sink such as api/http", hint: "rxwatchctl spool list names them")
        }
        let ids = Array(rest.dropFirst())
        if action != "drop", let unexpected = ids.first { throw UsageError("unexpected argument '\(unexpected)'") }
        switch action {
        case "show":
            guard let limit = Int(arguments[.limit]), (1...Self.maximumShown).contains(limit) else {
                throw UsageError("--limit is not a number from 1 to \(Self.maximumShown)")
            }
            self = .show(sink: sink, limit: limit)
        case "drop":
            guard ids.isEmpty == arguments.contains(.all) else {
                throw UsageError("spool drop needs either the ids of events or --all")
            }
            self = .drop(sink: sink, ids: ids.isEmpty ? nil : ids)
        default: self = .retry(sink: sink)
        }
    }
}

extension Operand {
    fileprivate static let action = required("ACTION", "one of list, show, retry and drop")
    fileprivate static let sink = optional("SINK", "a sink such as api/http, or http if no other sink has the name")
    fileprivate static let ids = repeated("ID", "with drop: the id of an event, as show prints it")
}

extension CommandLineOption {
    fileprivate static let all = flag("all", "with drop: drop all events that wait for the sink")
    fileprivate static let limit = value("limit", "NUMBER", default: "20", "with show: print at most this many events")
}
