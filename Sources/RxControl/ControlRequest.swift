import RxDiagnostics
import RxJSON

/// What an operator asks of the running daemon: a line of JSON on its control socket.
package enum ControlRequest: String, Sendable, CaseIterable {
    /// Read the config again; the answer says whether the daemon goes by it now.
    case reload
    /// How things stand.
    case status

    /// Where the daemon listens.
    package static let standardPath = "/run/rxwatchd/control"

    package var line: [UInt8] {
        (["command": .string(rawValue)] as JSON).bytes
    }

    /// Reads a line.
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

/// A request that is none.
package struct ControlError: Error {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
