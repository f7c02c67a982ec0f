import RxJSON
import RxPipelines

// The graph in the languages of programs that draw it, from left to right.
extension GraphPicture {
    /// The graph in the language of Graphviz.
    var dot: String {
        let shapes: [Node.Kind: String] = [.source: "ellipse", .pipeline: "box", .sink: "house"]
        let failing = failing
        var lines = ["digraph rxwatchd {", "  rankdir=LR;"]
        for (node, id) in identified {
            let label = ([node.name] + facts(of: node, failing: failing)).joined(separator: "\n")
            lines.append(
                "  \(JSON.string(id)) [shape=\(shapes[node.kind] ?? "box"), label=\(JSON.string(label))];")
        }
        for (node, id) in identified {
            for input in node.inputs { lines.append("  \(JSON.string(input)) -> \(JSON.string(id));") }
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The graph in the language of Mermaid, which Markdown files on code hosts show as a picture.
    var mermaid: String {
        let brackets: [Node.Kind: (String, String)] = [
            .source: ("([", "])"), .pipeline: ("[", "]"), .sink: ("[/", "/]"),
        ]
        // The names of nodes may be words of the language.
        let keys = Dictionary(
            identified.enumerated().map { ($1.id, "n\($0)") }, uniquingKeysWith: { first, _ in first })
        let failing = failing
        var lines = ["flowchart LR"]
        for (node, id) in identified {
            let (left, right) = brackets[node.kind] ?? ("[", "]")
            let label = ([node.name] + facts(of: node, failing: failing)).map(Self.escapedForMermaid).joined(
                separator: "<br/>")
            lines.append("  \(keys[id] ?? "")\(left)\"\(label)\"\(right)")
        }
        for (node, id) in identified {
            for input in node.inputs { lines.append("  \(keys[input] ?? "") --> \(keys[id] ?? "")") }
        }
        return lines.joined(separator: "\n")
    }

    private var identified: [(node: Node, id: String)] { nodes.map { ($0, id(of: $0)) } }

    private static func escapedForMermaid(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "#": escaped += "#35;"
            case "\"": escaped += "#quot;"
            case "<": escaped += "#lt;"
            case ">": escaped += "#gt;"
            default: escaped.append(character)
            }
        }
    }
}
