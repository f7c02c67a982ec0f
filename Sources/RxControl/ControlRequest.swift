import RxDiagnostics
import RxJSON

/// A request of an operator to the running daemon: a line of JSON on its control socket.
package enum ControlRequest: String, Sendable, CaseIterable {
    /// Reads the config again; the answer says whether the daemon now runs it.
    case reload
    /// Reports the state of the daemon.
    case status

    /// The path that the daemon listens on.
    package static let standardPath = "/run/rxwatchd/control"

    /// The bytes of the request, without the line end.
    package var line: [UInt8] {
        (["command": .string(rawValue)] as JSON).bytes
    }

    /// Parses a line.
    package init(line: [UInt8]) throws(ControlError) {
        guard let name = try? JSON(parsing: line)["command"]?.string else {
            throw ControlError("a request is a line such as {\"command\":\"status\"}")
        }
        guard let request = ControlRequest(rawValue: name) else {
            let known = ControlRequest.allCases.map(\.rawValue)
            let near = Nearest.hint(for: name, in: known)
            throw ControlError(
                "unknown command '\(name)'\(near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near)")
        }
        self = request
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
