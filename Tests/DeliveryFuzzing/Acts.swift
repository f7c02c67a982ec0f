import Foundation
import RxJSON
import RxPipelines

/// What the sinks have noted, by their keys.
struct Acts: Sendable {
    struct Act: Sendable {
        /// As the sink was given it.
        let id: String
        let value: JSON

        var event: ValuedEvent { ValuedEvent(id: sourceID(id), value: value) }
    }

    private(set) var all: [String: [Act]] = [:]
    private(set) var problems: [String] = []

    init(of config: Config, extras: Set<String>, in folders: Config.Folders) {
        let more = extras.map { "\($0)/file" } + config.sinkEdits.keys
        for key in config.nodes.flatMap(\.outlets).map(\.sink.key) + more {
            let text = (try? String(contentsOfFile: folders.acts(of: key), encoding: .utf8)) ?? ""
            all[key] = text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let value = try? JSON(parsing: Array(parts[1].utf8)) else {
                    problems.append("\(key) has the line '\(line)'")
                    return nil
                }
                return Act(id: String(parts[0]), value: value)
            }
        }
    }

    subscript(key: String) -> [Act] { all[key] ?? [] }

    /// The files that a pipeline whose steps are edited has acted on.
    func files(at edited: Edited) -> [Int] { self[edited.key].flatMap { Edited.files(in: $0.value) } }

    /// How often each event came to a sink more than once, by its id there.
    func repeated(at key: String) -> [String: Int] {
        self[key].reduce(into: [:]) { $0[$1.id, default: -1] += 1 }.filter { $0.value > 0 }
    }
}
