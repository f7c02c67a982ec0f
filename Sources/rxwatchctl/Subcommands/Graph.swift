import RxCommandLine
import RxControl

extension Subcommand {
    static let graph = Subcommand(
        "graph", "print the sources, pipelines and sinks of the daemon with their live subscriptions", [],
        [.dot, .subscriptions, .json, .control]
    ) { arguments throws(UsageError) in
        try ControlClient(arguments).run(
            .graph, asJSON: arguments.contains(.json),
            printing: { answer in
                guard arguments.contains(.dot) else { return nil }
                guard arguments.contains(.subscriptions) else { return answer.details["dot"]?.string }
                // Without any, so that Graphviz can read the answer.
                return answer.details["subscriptionsDot"]?.string ?? "digraph subscriptions { label=\"none recorded\" }"
            })
    }
}

extension CommandLineOption {
    fileprivate static let dot = flag("dot", "print the graph in the language of Graphviz")
    fileprivate static let subscriptions = flag("subscriptions", "with --dot: print the live subscriptions instead")
}
