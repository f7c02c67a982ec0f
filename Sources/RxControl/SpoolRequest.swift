import RxDiagnostics
import RxJSON

/// A request about the events that wait for sinks, in memory or on disk.
package enum SpoolRequest: Sendable, Equatable {
    /// Lists the sinks for which events wait.
    case list
    /// Shows the first events that wait on disk for a sink.
    case show(sink: String, limit: Int = 20)
    /// Makes a sink try again at once.
    case retry(sink: String)
    /// Drops the events with these ids that wait for a sink, or all of them.
    case drop(sink: String, ids: [String]? = nil)

    /// The most events that are shown.
    package static let maximumShown = 1000

    /// The names of the actions.
    package static let actions = ["list", "show", "retry", "drop"]

    /// The sink that it names; `nil` if it names none.
    package var sink: String? {
        switch self {
        case .list: nil
        case .show(let sink, _), .retry(let sink), .drop(let sink, _): sink
        }
    }

    /// The request for another sink.
    package func with(sink: String) -> SpoolRequest {
        switch self {
        case .list: .list
        case .show(_, let limit): .show(sink: sink, limit: limit)
        case .retry: .retry(sink: sink)
        case .drop(_, let ids): .drop(sink: sink, ids: ids)
        }
    }

    func add(to request: inout JSON) {
        switch self {
        case .list: request["action"] = "list"
        case .show(let sink, let limit):
            (request["action"], request["sink"], request["limit"]) = ("show", .string(sink), .number(Double(limit)))
        case .retry(let sink): (request["action"], request["sink"]) = ("retry", .string(sink))
        case .drop(let sink, let ids):
            (request["action"], request["sink"]) = ("drop", .string(sink))
            if let ids { request["ids"] = .array(ids.map(JSON.string)) }
        }
    }

    init(_ request: JSON) throws(ControlError) {
        let action = request["action"]?.string ?? ""
        guard Self.actions.contains(action) else {
            throw ControlError("'action' must be one of \(Self.actions.joined(separator: ", "))")
        }
        if action == "list" {
            self = .list
            return
        }
        guard let sink = request["sink"]?.string else {
            throw ControlError("'sink' must be the name of a pipeline and a sink such as 'api/http'")
        }
        switch action {
        case "show":
            let limit = (request["limit"] ?? 20).number.flatMap { Int(exactly: $0) }
            guard let limit, (1...Self.maximumShown).contains(limit) else {
                throw ControlError("'limit' must be a number from 1 to \(Self.maximumShown)")
            }
            self = .show(sink: sink, limit: limit)
        case "drop":
            let ids = request["ids"].map { $0.array?.compactMap(\.string) ?? [] }
            guard ids?.count == request["ids"]?.array?.count, request["ids"] == nil || request["ids"]?.array != nil
            else {
                throw ControlError("'ids' must be a list of ids")
            }
            self = .drop(sink: sink, ids: ids)
        default: self = .retry(sink: sink)
        }
    }
}
