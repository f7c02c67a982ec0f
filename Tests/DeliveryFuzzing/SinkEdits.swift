import SeededRandom

/// The changes that reloads make under `to:` of some pipelines: sinks of existing kinds are added and removed, and all
/// are moved. The permanent sinks keep their text, which identifies them, and are checked like all others.
struct SinkEdits: Sendable {
    /// The settings of the sinks of these pipelines, which do not change.
    private(set) var settings: [String: Config.SinkSettings] = [:]
    /// The keys of all sinks so far.
    private(set) var keys: Set<String> = []
    /// By the name of the pipeline.
    private var more: [String: [Config.Sink]] = [:]
    private var orders: [String: UInt64] = [:]

    fileprivate mutating func keep(_ settings: Config.SinkSettings?, of key: String) {
        self.settings[key] = settings
    }

    /// The sinks in their current order.
    func sinks(of node: Config.Node) -> [Config.Sink] {
        let sinks = node.sinks + (more[node.name] ?? [])
        guard let order = orders[node.name] else { return sinks }
        var random = SplitMix64(seed: order)
        return sinks.shuffled(using: &random)
    }

    /// - Returns: a description of the change.
    fileprivate mutating func edit(_ node: Config.Node, _ random: inout SplitMix64) -> String {
        orders[node.name] = random.next()
        let kind = random.pick(node.sinks).kind
        let sink = Config.Sink(key: "\(node.name)/more-\(kind)", kind: kind, before: 0, after: 1)
        if random.chance(30) { return "order of \(node.name)" }
        if let place = more[node.name]?.firstIndex(where: { $0.key == sink.key }) {
            more[node.name]?.remove(at: place)
            return "remove \(sink.key)"
        }
        more[node.name, default: []].append(sink)
        keys.insert(sink.key)
        return "insert \(sink.key)"
    }
}

extension Config {
    /// Chooses the pipelines whose sinks are inserted, removed and moved. The settings of these sinks do not change.
    mutating func chooseSinkEdits(_ random: inout SplitMix64) {
        for node in nodes where !node.sinks.isEmpty && random.chance(50) {
            for sink in node.sinks { sinkEdits.keep(settings.removeValue(forKey: sink.key), of: sink.key) }
        }
    }

    /// Inserts, removes or moves sinks of a pipeline, and describes the change.
    mutating func editSinks(_ random: inout SplitMix64) -> String {
        let nodes = nodes.filter { $0.sinks.contains { sinkEdits.settings[$0.key] != nil } }
        return nodes.isEmpty ? "nothing" : sinkEdits.edit(random.pick(nodes), &random)
    }
}
