import RxJSON
import RxPipelines

// The graph in the languages of programs that draw it, from left to right.
extension GraphPicture {
    /// The graph in the language of Graphviz.
    var dot: String {
        let shapes: [Node.Kind: String] = [.source: "ellipse", .pipeline: "box", .sink: "house"]
        var lines = ["digraph rxwatchd {", "  rankdir=LR;"]
        for (node, id) in identified {
            let label = node.labelLines.joined(separator: "\n")
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
        var lines = ["flowchart LR"]
        for (node, id) in identified {
            let (left, right) = brackets[node.kind] ?? ("[", "]")
            let label = node.labelLines.map(Self.escapedForMermaid).joined(separator: "<br/>")
            lines.append("  \(keys[id] ?? "")\(left)\"\(label)\"\(right)")
        }
        for (node, id) in identified {
            for input in node.inputs { lines.append("  \(keys[input] ?? "") --> \(keys[id] ?? "")") }
        }
        return lines.joined(separator: "\n")
    }

    /// The nodes with names that are unique in the whole graph: the name of a sink is unique in its pipeline only.
    private var identified: [(node: Node, id: String)] {
        nodes.map { ($0, $0.kind == .sink ? "\($0.inputs.first ?? "")/\($0.name)" : $0.name) }
    }

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

extension GraphPicture.Node {
    /// The lines in the node's box.
    fileprivate var labelLines: [String] { [name] + facts }
}
