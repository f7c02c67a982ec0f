import RxPipelines

// The graph as text.
extension GraphPicture {
    /// The most levels of indentation: the text of a long chain would grow with the square of its length.
    private static let deepest = 40

    /// The graph as an indented tree: below each source and pipeline its sinks and the pipelines that take events from it.
    ///
    ///     source tick: 3 events, 0 unsettled
    ///       pipeline both from tick, tock: 5 events from 6 received
    ///         sink journal: 0 queued, 0 dropped
    ///     source tock: 3 events, 0 unsettled
    ///       pipeline both, see above
    ///
    /// A pipeline that takes events from several nodes is written below the one that is written first, with what is below
    /// it. What is deeper than a person can follow is not indented further, and names what it takes events from.
    var tree: [String] {
        var outputs: [String: [Int]] = [:]
        for (index, node) in nodes.enumerated() {
            for input in Set(node.inputs) { outputs[input, default: []].append(index) }
        }
        let failing = failing
        var lines: [String] = []
        var written: Set<Int> = []
        // No recursion: a chain of pipelines may be long.
        var next = nodes.indices.filter { nodes[$0].inputs.isEmpty }.reversed().map { (index: $0, depth: 0) }
        while let (index, depth) = next.popLast() {
            let node = nodes[index]
            let indentation = String(repeating: "  ", count: min(depth, Self.deepest))
            guard written.insert(index).inserted else {
                lines.append("\(indentation)\(node.kind.rawValue) \(node.name), see above")
                continue
            }
            lines.append(
                indentation + line(of: node, namingInputs: node.inputs.count > 1 || depth > Self.deepest, failing))
            if node.kind == .sink { continue }
            next += (outputs[node.name] ?? []).reversed().map { ($0, depth + 1) }
        }
        return lines
    }

    /// A line for a terminal.
    private func line(of node: Node, namingInputs: Bool, _ failing: Set<String>) -> String {
        let from = namingInputs ? " from \(node.inputs.joined(separator: ", "))" : ""
        let facts = facts(of: node, failing: failing)
        return "\(node.kind.rawValue) \(node.name)\(from)" + (facts.isEmpty ? "" : ": \(facts.joined(separator: ", "))")
    }
}
