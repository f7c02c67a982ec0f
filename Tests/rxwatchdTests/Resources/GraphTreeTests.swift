import RxEngine
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// The text of `rxwatchctl graph`.
struct GraphTreeTests {
    /// A graph of lines such as `pipeline p a,b`: the kind, the name, and what it takes events from.
    private func tree(_ lines: [String]) -> [String] {
        let nodes = lines.compactMap { line -> GraphPicture.Node? in
            let words = line.split(separator: " ").map(String.init)
            return GraphPicture.Node.Kind(rawValue: words[0]).map { kind in
                GraphPicture.Node(
                    kind: kind, name: words[1], activity: nil, isArmed: nil, account: nil,
                    inputs: words.dropFirst(2).flatMap { $0.split(separator: ",").map(String.init) },
                    unsettled: nil, received: nil, replayed: 0,
                    flow: kind == .sink ? Graph.Flow(queued: 1, dropped: 2) : nil)
            }
        }
        return GraphPicture(nodes: nodes).tree
    }

    @Test(
        arguments: [
            ([], []),
            (
                ["source a", "pipeline p a", "sink stdout p"],
                ["source a", "  pipeline p", "    sink stdout: 1 queued, 2 dropped"]
            ),
            // Both sides of a diamond lead to the same pipeline, with what is below it.
            (
                [
                    "source a", "pipeline l a", "pipeline r a", "pipeline both l,r", "sink http both",
                    "pipeline end both",
                ],
                [
                    "source a", "  pipeline l", "    pipeline both from l, r", "      sink http: 1 queued, 2 dropped",
                    "      pipeline end", "  pipeline r", "    pipeline both, see above",
                ]
            ),
            // An input that is named twice, and a pipeline whose name is that of a sink.
            (
                ["source a", "pipeline http a,a", "sink http http", "pipeline p http"],
                ["source a", "  pipeline http from a, a", "    sink http: 1 queued, 2 dropped", "    pipeline p"]
            ),
        ] as [([String], [String])])
    func nodesAreBelowTheirInputs(nodes: [String], expected: [String]) {
        #expect(tree(nodes) == expected)
    }

    /// A failure is at the node or the sink that has failed, until it works again.
    @Test func stateIsShown() {
        func node(
            _ kind: GraphPicture.Node.Kind, _ name: String, _ inputs: [String] = [], _ activity: NodeActivity? = nil
        ) -> GraphPicture.Node {
            GraphPicture.Node(
                kind: kind, name: name, activity: activity, isArmed: nil, account: nil, inputs: inputs, unsettled: nil,
                received: nil, replayed: 0, flow: nil)
        }
        func activity(_ name: String) -> NodeActivity { NodeActivity(name, on: HistoricalScheduler()) }
        let (source, pipeline, ended) = (activity("a"), activity("p"), activity("q"))
        for activity in [pipeline, ended] { activity.enter(.running) }
        ended.enter(.completed)
        pipeline.failed("no", at: "http")
        let picture = GraphPicture(nodes: [
            node(.source, "a", [], source), node(.pipeline, "p", ["a"], pipeline), node(.sink, "http", ["p"]),
            node(.sink, "file", ["p"]), node(.pipeline, "q", ["a"], ended),
        ])
        let states = picture.tree.map { $0.replacing(", 0 events", with: "").replacing(": 0 events", with: "") }
        #expect(
            states == [
                "source a: not running", "  pipeline p", "    sink http: failing", "    sink file",
                "  pipeline q: completed",
            ])
        #expect(picture.dot.contains("failing") && picture.mermaid.contains("failing"))
        pipeline.succeeded(at: "http")
        #expect(!picture.tree.contains { $0.contains("failing") })
    }

    /// The text of a long chain has no more than its lines.
    @Test func longChainIsNotIndentedFurther() {
        let tree = tree(["source p0"] + (1...5000).map { "pipeline p\($0) p\($0 - 1)" })
        #expect(tree.count == 5001 && tree.reduce(0) { $0 + $1.count } < 1_000_000)
        #expect(tree[40] == String(repeating: " ", count: 80) + "pipeline p40")
        #expect(tree[41] == String(repeating: " ", count: 80) + "pipeline p41 from p40")
        #expect(tree[5000] == String(repeating: " ", count: 80) + "pipeline p5000 from p4999")
    }
}
