import RxDiagnostics
import RxJSON

/// A request of an operator to the running daemon: a line of JSON on its control socket.
///
/// ```json
/// {"version":1,"command":"status","node":"api"}
/// ```
package enum ControlRequest: Sendable, Equatable {
    /// Reads the configuration again; the answer says whether the daemon now runs it.
    case reload
    /// Reports what a reload would do.
    case plan
    /// Reports the state of the daemon and of all nodes, or of one node in detail; the text of all nodes has lines of at
    /// most so many columns.
    case status(node: String? = nil, columns: Int? = nil)
    /// Reports the sources, pipelines and sinks, and what subscribes to what.
    case graph
    /// Reports the numbers of live objects; the text has lines of at most so many columns.
    case resources(columns: Int? = nil)
    /// Makes a source with a period emit or poll at once; the answer has the event, or comes after `timeout` seconds.
    case fire(node: String, timeout: Double = defaultWait)
    /// Lists, shows, retries or drops the events that wait for sinks.
    case spool(SpoolRequest)
    /// Answers when everything that happened before is settled, or after so many seconds.
    case sync(timeout: Double = defaultWait)
    /// Sends a line for each event that these nodes emit from now on, or all nodes if there are none; with `lifecycle`
    /// also for failures, and for the beginning and the end of what subscribes to them.
    case tap(nodes: [String] = [], lifecycle: Bool = false)

    /// The version of the requests and answers. A request without one has the version of the daemon.
    private static let version = 1.0

    /// The longest timeout of a request that waits for events, in seconds, below that of an answer.
    package static let longestWait = 100.0
    /// The longest time that a reload is waited for: it lasts as long as arming sources makes progress.
    package static let longestReload = Duration.seconds(600)
    /// The timeout of a request that has none, in seconds.
    package static let defaultWait = 30.0

    /// The names of the commands.
    private static let commands = ["reload", "plan", "status", "graph", "resources", "fire", "spool", "sync", "tap"]

    /// The bytes of the request, without the line end.
    package var line: [UInt8] {
        var request: JSON = ["version": .number(Self.version), "command": .string(command)]
        if case .status(let node?, _) = self { request["node"] = .string(node) }
        switch self {
        case .status(_, let columns?), .resources(let columns?): request["columns"] = .number(Double(columns))
        default: break
        }
        if case .fire(let node, let timeout) = self {
            (request["node"], request["timeout"]) = (.string(node), .number(timeout))
        }
        if case .spool(let spool) = self { spool.add(to: &request) }
        if case .sync(let timeout) = self { request["timeout"] = .number(timeout) }
        if case .tap(let nodes, let lifecycle) = self {
            request["nodes"] = .array(nodes.map(JSON.string))
            request["lifecycle"] = .bool(lifecycle)
        }
        return request.bytes
    }

    private var command: String {
        switch self {
        case .reload: "reload"
        case .plan: "plan"
        case .status: "status"
        case .graph: "graph"
        case .resources: "resources"
        case .fire: "fire"
        case .spool: "spool"
        case .sync: "sync"
        case .tap: "tap"
        }
    }

    /// Parses a line.
    package init(line: [UInt8]) throws(ControlError) {
        guard let request = try? JSON(parsing: line), let command = request["command"]?.string else {
            throw ControlError("a request is a line such as {\"command\":\"status\"}")
        }
        if let version = request["version"], version != .number(Self.version) {
            throw ControlError(
                "the request has version \(version.description.shortened), and the daemon knows \(JSON.number(Self.version)): "
                    + "use the rxwatchctl of the daemon's package")
        }
        switch command {
        case "reload": self = .reload
        case "plan": self = .plan
        case "status":
            guard request["node"] == nil || request["node"]?.string != nil else {
                throw ControlError("'node' must be the name of a source or pipeline")
            }
            self = .status(node: request["node"]?.string, columns: try Self.columns(in: request))
        case "graph": self = .graph
        case "resources": self = .resources(columns: try Self.columns(in: request))
        case "fire":
            guard let node = request["node"]?.string else { throw ControlError("'node' must be the name of a source") }
            self = .fire(node: node, timeout: try Self.timeout(in: request))
        case "spool": self = .spool(try SpoolRequest(request))
        case "sync": self = .sync(timeout: try Self.timeout(in: request))
        case "tap":
            let nodes = (request["nodes"] ?? []).array.map { $0.compactMap(\.string) }
            guard let nodes, nodes.count == (request["nodes"] ?? []).array?.count,
                let lifecycle = (request["lifecycle"] ?? false).bool
            else {
                throw ControlError("'nodes' must be a list of names, and 'lifecycle' true or false")
            }
            self = .tap(nodes: nodes, lifecycle: lifecycle)
        default:
            let near = NearestName.hint(for: command, in: Self.commands)
            throw ControlError(
                "unknown command '\(command.shortened)'"
                    + (near.isEmpty ? "; there are \(Self.commands.joined(separator: ", "))" : near))
        }
    }

    /// The widths of terminals that a text is made for. A narrower one wraps its lines.
    package static let widths = 40...1000

    private static func columns(in request: JSON) throws(ControlError) -> Int? {
        guard let columns = request["columns"] else { return nil }
        guard let number = columns.number.flatMap({ Int(exactly: $0) }), widths.contains(number) else {
            throw ControlError("'columns' must be a number from \(widths.lowerBound) to \(widths.upperBound)")
        }
        return number
    }

    private static func timeout(in request: JSON) throws(ControlError) -> Double {
        guard let timeout = (request["timeout"] ?? .number(defaultWait)).number, (0...longestWait).contains(timeout)
        else {
            throw ControlError("'timeout' must be a number of seconds up to \(Int(longestWait))")
        }
        return timeout
    }
}

/// An error for a malformed request.
package struct ControlError: Error {
    /// The message, which says what is accepted.
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
