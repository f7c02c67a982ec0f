import RxDiagnostics
import RxJSON

/// What a reload of another plan would do with the nodes and sinks of a running graph.
package struct GraphChanges: Sendable {
    /// What happens to a source, a pipeline or a sink.
    package enum Effect: String, Sendable, CaseIterable {
        /// The node or sink keeps running, with its state.
        case keep
        /// The text is unchanged, but the node takes events from one that restarts.
        case rewire
        /// The text has changed: a new node or sink takes the place of the running one.
        case restart
        case start, stop

        /// The word for the effect in a summary, as in "2 kept".
        fileprivate var participle: String {
            switch self {
            case .keep: "kept"
            case .rewire: "rewired"
            case .restart: "restarted"
            case .start: "started"
            case .stop: "stopped"
            }
        }
    }

    /// What happens to one source, pipeline or sink.
    package struct Change: Sendable, Equatable {
        package let kind: GraphPicture.Node.Kind
        /// The name; for a sink, the names of the pipeline and the sink: "api/http".
        package let name: String
        package let effect: Effect
        /// Why, and what happens to the events and the state of the node or sink.
        package internal(set) var notes: [String]
        /// How long its events wait for what the reload stops; `nil` if they do not wait.
        ///
        /// For example, "up to 5s (daemon.drain) for …".
        package internal(set) var wait: String?
    }

    /// The changes, in the order of the new plan, each sink after its pipeline; last, what the new plan lacks.
    package let changes: [Change]
    /// The settings that change without a restart of anything, as in "daemon.drain: 10s in place of 5s".
    package let settings: [String]

    /// The effects with the number of nodes and sinks that have each.
    package var counts: [(effect: Effect, count: Int)] {
        Effect.allCases.map { effect in (effect, changes.count { $0.effect == effect }) }.filter { $0.count > 0 }
    }

    private var isEmpty: Bool { settings.isEmpty && changes.allSatisfy { $0.effect == .keep } }

    /// The numbers in one line.
    package var summary: String {
        if isEmpty { return "nothing would change" }
        return counts.map { "\($0.count) \($0.effect.participle)" }.joined(separator: ", ")
    }

    /// What a reload has done, in one line: "2 kept; restarted api; started b/http, c".
    package var outcome: String {
        if isEmpty { return "nothing has changed" }
        let effects = counts.map { effect, count in
            let names = changes.filter { $0.effect == effect }.map(\.name)
            guard effect != .keep, count <= Self.maximumNamed else { return "\(count) \(effect.participle)" }
            return "\(effect.participle) \(names.joined(separator: ", "))"
        }
        return (effects + settings + waits).joined(separator: "; ")
    }

    /// The nodes and sinks whose events wait, and what for: "events of a and b wait up to 5s …".
    private var waits: [String] {
        let waiting = changes.filter { $0.wait != nil }
        let names = Dictionary(grouping: waiting) { $0.wait ?? "" }.mapValues { $0.map(\.name) }
        return waiting.compactMap(\.wait).withoutRepetitions(by: \.self).map { wait in
            let names = names[wait] ?? []
            let rest = names.count - Self.maximumNamed
            let shown = names.prefix(Self.maximumNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            return "events of \(shown) wait \(wait)"
        }
    }

    /// How many nodes and sinks with the same effect have their names in a line.
    private static let maximumNamed = 5

    /// A line for each change, and for each setting that changes.
    package var lines: [String] {
        let (effects, kinds) = (Effect.allCases.map(\.rawValue), GraphPicture.Node.Kind.allCases.map(\.rawValue))
        let (first, second) = (effects.map(\.count).max() ?? 0, kinds.map(\.count).max() ?? 0)
        let nodes = changes.map { change in
            let head = "\(change.effect.rawValue.padded(to: first))  \(change.kind.rawValue.padded(to: second))  "
            return head
                + ([change.name] + change.notes.map { ": \($0)" }.prefix(1)
                + change.notes.dropFirst().map { "; \($0)" }).joined()
        }
        return settings + nodes
    }

    /// The changes for programs.
    package var details: JSON {
        let changes = changes.map { change -> JSON in
            [
                "kind": .string(change.kind.rawValue), "name": .string(change.name),
                "effect": .string(change.effect.rawValue), "notes": .array(change.notes.map(JSON.string)),
            ]
        }
        return [
            "changes": .array(changes), "settings": .array(settings.map(JSON.string)),
            "counts": .object(
                counts.reduce(into: JSON.Object()) { $0[$1.effect.rawValue] = .number(Double($1.count)) }),
        ]
    }
}
