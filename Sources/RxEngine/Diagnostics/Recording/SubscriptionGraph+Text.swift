extension Resources.Graph {
    /// Returns the graph as a tree, from each subscription down to its sources, a line for each node.
    ///
    ///     subscription, 3.2 s, 17 elements
    ///       map, 17 elements
    ///         publishSubject #9
    ///
    /// A source with several subscribers has its number behind it, and is written once with what is below it.
    ///
    /// - Parameter withTimes: whether lines say how old the subscriptions are.
    public func text(withTimes: Bool = true) -> String {
        var writer = TreeWriter(self, withTimes: withTimes)
        return writer.text()
    }

    /// The graph in the language of Graphviz.
    public var dot: String {
        var lines = ["digraph subscriptions {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
        for node in nodes {
            let label = ([node.name] + node.details(withTimes: true)).joined(separator: "\n")
            lines.append("  n\(node.id) [label=\(JSONText.quoted(label))];")
        }
        for edge in edges { lines.append("  n\(edge.source) -> n\(edge.subscriber);") }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The graph as a JSON object with the arrays `nodes` and `edges`.
    ///
    /// A node has `id` and `name` and, if they are known, `checkpoint`, `account`, `seconds` (its age), `elements`, `owner`
    /// and `disposed`, which is `true`. An edge has the ids `source` and `subscriber`.
    public var json: String {
        let nodes = nodes.map { node in
            JSONText.object([
                ("id", String(node.id)), ("name", JSONText.quoted(node.name)),
                ("checkpoint", node.checkpoint.map(JSONText.quoted)), ("account", node.account.map(JSONText.quoted)),
                ("seconds", node.age.map { JSONText.seconds($0) }), ("elements", node.elements.map { String($0) }),
                ("disposed", node.isDisposed ? "true" : nil), ("owner", node.owner.map(JSONText.quoted)),
            ])
        }
        let edges = edges.map {
            JSONText.object([("source", String($0.source)), ("subscriber", String($0.subscriber))])
        }
        return JSONText.object([("nodes", JSONText.array(nodes)), ("edges", JSONText.array(edges))])
    }
}

extension Resources.Graph.Node: CustomStringConvertible {
    /// The operator and where it is, as in `subscription, checkpoint "orders", subscribed 3.2 s ago, owner CompositeDisposable released`.
    public var description: String {
        var parts = [name]
        if let checkpoint { parts.append("checkpoint \"\(checkpoint)\"") }
        if let account { parts.append("account \"\(account)\"") }
        if let age { parts.append("subscribed \(age.seconds) ago") }
        return (parts + state).joined(separator: ", ")
    }

    /// The facts about a node, besides its name, in a line of a picture.
    func details(withTimes: Bool) -> [String] {
        var parts: [String] = []
        if let checkpoint, name == "checkpoint" { parts.append("\"\(checkpoint)\"") }
        if name == "subscription", let account { parts.append("account \"\(account)\"") }
        if withTimes, name == "subscription" || name == "share", let age { parts.append(age.seconds) }
        return parts + state
    }

    /// How many elements have passed, whether it is disposed, and what retains it.
    private var state: [String] {
        var parts: [String] = []
        if let elements { parts.append(elements == 1 ? "1 element" : "\(elements) elements") }
        if isDisposed { parts.append("disposed") }
        if let owner { parts.append("owner \(owner)") }
        return parts
    }
}

/// Writes a graph as an indented tree.
private struct TreeWriter {
    private let nodes: [UInt64: Resources.Graph.Node]
    private let order: [UInt64]
    private let sources: [UInt64: [UInt64]]
    private let subscribers: [UInt64: Int]
    private let withTimes: Bool
    private var written: Set<UInt64> = []
    private var lines: [String] = []

    init(_ graph: Resources.Graph, withTimes: Bool) {
        nodes = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.id, $0) })
        order = graph.nodes.map(\.id)
        sources = Dictionary(grouping: graph.edges, by: \.subscriber).mapValues { $0.map(\.source) }
        subscribers = Dictionary(grouping: graph.edges, by: \.source).mapValues(\.count)
        self.withTimes = withTimes
    }

    mutating func text() -> String {
        for id in order where subscribers[id] == nil { write(id, depth: 0) }
        return lines.joined(separator: "\n")
    }

    private mutating func write(_ id: UInt64, depth: Int) {
        guard let node = nodes[id] else { return }
        let isShared = subscribers[id].map { $0 > 1 } ?? false
        let name = isShared ? "\(node.name) #\(id)" : node.name
        let isFirst = written.insert(id).inserted
        let details = isFirst ? node.details(withTimes: withTimes) : ["see above"]
        lines.append(String(repeating: "  ", count: depth) + ([name] + details).joined(separator: ", "))
        guard isFirst else { return }
        for source in sources[id] ?? [] { write(source, depth: depth + 1) }
    }
}

extension Duration {
    /// The duration in seconds, with one digit, as in `3.2 s`.
    var seconds: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
