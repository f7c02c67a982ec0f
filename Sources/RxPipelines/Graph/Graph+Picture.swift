import RxEngine

/// The sources, pipelines and sinks that run, and which takes events from which.
package struct GraphPicture: Sendable {
    /// A source, a pipeline or a sink.
    package struct Node: Sendable {
        /// The kind of a node.
        package enum Kind: String, Sendable, CaseIterable {
            case source, pipeline, sink
        }

        package let kind: Kind
        /// The name in the configuration; for a sink, the name of its kind, and a number if the pipeline has several.
        package let name: String
        /// The activity of the node; `nil` for a sink.
        package let activity: NodeActivity?
        /// Whether the source emits everything that happens from now on; `nil` for a node that is not a source.
        package let isArmed: Bool?
        /// The account that the node's live objects are charged to; `nil` for a sink, whose pipeline is charged.
        package let account: Resources.Account?
        /// The names of the sources and pipelines that the node takes events from; of a sink, those of its pipeline.
        package let inputs: [String]
        /// The number of events that are not settled; `nil` for a node that is not a source.
        package let unsettled: Int?
        /// The number of events that the pipeline's steps have received; `nil` for a node without steps.
        package let received: Int?
        /// How many of those were replayed.
        package let replayed: Int
        /// The flow of the sink, or of the pipeline's sinks; `nil` for a node that has none.
        package let flow: Graph.Flow?
    }

    /// In the configuration's order, each sink after its pipeline.
    package let nodes: [Node]

    /// The names of the sinks of each pipeline.
    package var sinks: [String: [String]] {
        nodes.reduce(into: [:]) { sinks, node in
            if node.kind == .sink, let pipeline = node.inputs.first { sinks[pipeline, default: []].append(node.name) }
        }
    }

    /// The sources and pipelines.
    package var sourcesAndPipelines: [Node] { nodes.filter { $0.kind != .sink } }
}

extension Graph {
    /// The graph as it runs now.
    package var picture: GraphPicture {
        let (flows, unsettled) = (flows, unsettledCounts)
        let sinkFlows = Dictionary(runs.flatMap(\.sinkSummaries).map { ($0.key, $0.flow) }) { first, _ in first }
        return GraphPicture(
            nodes: nodes.flatMap { node -> [GraphPicture.Node] in
                let isSource = node.steps == nil
                let own = GraphPicture.Node(
                    kind: isSource ? .source : .pipeline, name: node.name, activity: node.activity,
                    isArmed: node.arming?.isArmed, account: node.account, inputs: node.inputs.map(\.name),
                    unsettled: isSource ? unsettled[node.name] ?? 0 : nil,
                    received: node.steps?.input.receivedBySteps,
                    replayed: node.steps?.input.replayedToSteps ?? 0,
                    flow: isSource ? nil : flows[node.name])
                let sinks = isSource ? [] : sinkNames[node.name]?.sinks ?? []
                return [own]
                    + sinks.map {
                        GraphPicture.Node(
                            kind: .sink, name: $0.name, activity: nil, isArmed: nil, account: nil, inputs: [node.name],
                            unsettled: nil, received: nil, replayed: 0, flow: sinkFlows["\(node.name)/\($0.name)"])
                    }
            })
    }
}
