import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let graph = Subcommand(
        "graph", "print the sources, pipelines and sinks of the daemon with their live subscriptions", [],
        [.dot, .mermaid, .svg, .json, .subscriptions, .control], exclusive: [[.dot, .mermaid, .svg, .json]],
        example: "rxwatchctl graph --svg >graph.svg"
    ) { arguments throws(UsageError) in
        let isOfSubscriptions = arguments.contains(.subscriptions)
        if isOfSubscriptions, !arguments.contains(.dot), !arguments.contains(.svg) {
            throw UsageError("--subscriptions needs --dot or --svg")
        }
        let client = try ControlClient(arguments)
        /// The text for Graphviz.
        func dot(_ answer: ControlAnswer) -> String? {
            guard isOfSubscriptions else { return answer.details["dot"]?.string }
            if let recorded = answer.details["subscriptionsDot"]?.string { return recorded }
            StandardStream.error.print(
                "rxwatchctl: the daemon records no subscriptions; start it with RXWATCHD_RECORD, see rxwatchd(8)")
            // So that Graphviz can read the answer.
            return "digraph subscriptions { label=\"none recorded\" }"
        }
        guard arguments.contains(.svg) else {
            return client.run(
                .graph,
                printing: { answer in
                    arguments.contains(.mermaid)
                        ? answer.details["mermaid"]?.string : arguments.contains(.dot) ? dot(answer) : nil
                })
        }
        return client.run(.graph) { answer in
            guard answer.exitCode == ExitCode.success, let text = dot(answer) else {
                return answer.print(asJSON: false)
            }
            return Graphviz.printSVG(text)
        }
    }
}

extension CommandLineOption {
    fileprivate static let dot = flag("dot", "print the graph in the language of Graphviz")
    fileprivate static let mermaid = flag("mermaid", "print the graph in the language of Mermaid")
    fileprivate static let svg = flag("svg", "print the graph as a picture; this needs Graphviz")
    fileprivate static let subscriptions = flag(
        "subscriptions", "with --dot or --svg: print the live subscriptions instead")
}
