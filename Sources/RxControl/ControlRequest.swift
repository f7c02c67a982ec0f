import RxDiagnostics
import RxJSON

/// A request of an operator to the running daemon: a line of JSON on its control socket.
///
/// ```json
/// {"version":1,"command":"status","node":"api"}
/// ```
package enum ControlRequest: Sendable, Equatable {
    /// Reads the config again; the answer says whether the daemon now runs it.
    case reload
    /// Reports the state of the daemon and of all nodes, or of one node in detail.
    case status(node: String? = nil)
    /// Reports the sources, pipelines and sinks, and what subscribes to what.
    case graph
    /// Reports the numbers of live objects.
    case resources

    /// The version of the requests and answers. A request without one has the version of the daemon.
    private static let version = 1.0

    /// The names of the commands.
    private static let commands = ["reload", "status", "graph", "resources"]

    /// The bytes of the request, without the line end.
    package var line: [UInt8] {
        var request: JSON = ["version": .number(Self.version), "command": .string(command)]
        if case .status(let node?) = self { request["node"] = .string(node) }
        return request.bytes
    }

    private var command: String {
        switch self {
        case .reload: "reload"
        case .status: "status"
        case .graph: "graph"
        case .resources: "resources"
        }
    }

    /// Parses a line.
    package init(line: [UInt8]) throws(ControlError) {
        guard let request = try? JSON(parsing: line), let command = request["command"]?.string else {
            throw ControlError("a request is a line such as {\"command\":\"status\"}")
        }
        if let version = request["version"], version != .number(Self.version) {
            throw ControlError(
                "the request has version \(version), and the daemon knows \(JSON.number(Self.version)): "
                    + "use the rxwatchctl of the daemon's package")
        }
        switch command {
        case "reload": self = .reload
        case "status":
            guard request["node"] == nil || request["node"]?.string != nil else {
                throw ControlError("'node' must be the name of a source or pipeline")
            }
            self = .status(node: request["node"]?.string)
        case "graph": self = .graph
        case "resources": self = .resources
        default:
            let near = Nearest.hint(for: command, in: Self.commands)
            throw ControlError(
                "unknown command '\(command)'"
                    + (near.isEmpty ? "; there are \(Self.commands.joined(separator: ", "))" : near))
        }
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
