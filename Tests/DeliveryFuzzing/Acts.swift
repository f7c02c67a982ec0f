import Foundation
import RxJSON
import RxPipelines

/// The acts that sinks have written, by the sinks' keys.
struct Acts: Sendable {
    struct Act: Sendable {
        /// The ID that the sink received.
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

    /// The files on which a pipeline with edited steps has acted.
    func files(at edited: Edited) -> [Int] { self[edited.key].flatMap { Edited.files(in: $0.value) } }

    /// How often each event reached a sink more than once, by its ID there.
    func repeated(at key: String) -> [String: Int] {
        self[key].reduce(into: [:]) { $0[$1.id, default: -1] += 1 }.filter { $0.value > 0 }
    }
}
