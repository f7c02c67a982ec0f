import RxEngine
import RxJSON
import RxPipelines

/// Live objects of a node that should not be alive.
struct Leak: Sendable, Equatable {
    /// The name of the source or pipeline.
    let name: String
    /// The number of subscriptions of a pipeline that runs, or of all live objects of a node that was replaced.
    let live: Int
    /// The most subscriptions that the pipeline may have; `nil` for a node that was replaced.
    let maximum: Int?

    /// The leak in a line.
    var text: String {
        guard let maximum else { return "leak: \(counted(live, "object")) of \(name) alive after it was replaced" }
        return "leak: pipeline \(name) has \(counted(live, "subscription")), and at most \(maximum) should be there"
    }

    /// The leak for programs.
    var json: JSON {
        guard let maximum else { return ["replaced": .string(name), "total": .number(Double(live))] }
        return [
            "pipeline": .string(name), "subscriptions": .number(Double(live)), "maximum": .number(Double(maximum)),
        ]
    }
}
