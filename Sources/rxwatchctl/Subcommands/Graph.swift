import RxCommandLine
import RxControl

extension Subcommand {
    static let graph = Subcommand(
        "graph", "print the sources, pipelines and sinks of the daemon with their live subscriptions", [],
        [.dot, .json, .control]
    ) { arguments throws(UsageError) in
        try ControlClient(arguments).run(
            .graph, asJSON: arguments.contains(.json),
            printing: arguments.contains(.dot) ? { $0.details["dot"]?.string } : { _ in nil })
    }
}

extension CommandLineOption {
    fileprivate static let dot = flag("dot", "print the graph in the language of Graphviz")
}
