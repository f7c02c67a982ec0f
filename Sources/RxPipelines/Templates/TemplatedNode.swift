import RxDiagnostics
import RxJQ
import RxYAML

/// A YAML node in which texts may be templates.
struct TemplatedNode: Sendable {
    /// A node of the configuration in which strings may be templates.
    private indirect enum Part: Sendable {
        case fixed(YAMLNode)
        case text(Template, YAMLNode)
        case sequence([Part], at: SourceLocation)
        case mapping([(pair: YAMLNode.Pair, value: Part)], at: SourceLocation)
    }

    private let root: Part
    /// The locations of the templates.
    let locations: Set<SourceLocation>

    /// Reads the templates, in which `$event` is bound, and reports their errors.
    init(_ node: YAMLNode, _ context: ReadingContext) {
        var locations: Set<SourceLocation> = []
        root = Self.part(node, &locations, context)
        self.locations = locations
    }

    /// The node with the texts of its templates for an event.
    func render(_ event: PipelineEvent, for client: JQClient?) throws(TemplateError) -> YAMLNode {
        try Self.render(root, event, for: client)
    }

    private static func part(_ node: YAMLNode, _ locations: inout Set<SourceLocation>, _ context: ReadingContext)
        -> Part
    {
        switch node.value {
        case .scalar(let scalar):
            let type = FieldType<Template>.template(example: "http://api.example{{.path}}", mayHoldCredential: true)
            guard scalar.text.text.contains("{{"), let template = type.read(node, context) else {
                return .fixed(node)
            }
            locations.formUnion([node.location, scalar.text.location])
            return .text(template, node)
        case .sequence(let nodes):
            return .sequence(nodes.map { part($0, &locations, context) }, at: node.location)
        case .mapping(let pairs):
            return .mapping(pairs.map { ($0, part($0.value, &locations, context)) }, at: node.location)
        }
    }

    private static func render(
        _ part: Part, _ event: PipelineEvent, for client: JQClient?
    ) throws(TemplateError) -> YAMLNode {
        switch part {
        case .fixed(let node): return node
        case .text(let template, let node):
            let text = LocatedText(try template.render(event, for: client), at: node.location)
            let isSecret = node.scalar?.isSecret ?? false
            return YAMLNode(
                .scalar(YAMLNode.Scalar(text, isPlain: false, isSecret: isSecret)), at: node.location)
        case .sequence(let parts, let location):
            var nodes: [YAMLNode] = []
            for part in parts { nodes.append(try render(part, event, for: client)) }
            return YAMLNode(.sequence(nodes), at: location)
        case .mapping(let members, let location):
            var pairs: [YAMLNode.Pair] = []
            for member in members {
                pairs.append(
                    YAMLNode.Pair(
                        member.pair.key, at: member.pair.keyLocation, try render(member.value, event, for: client)))
            }
            return YAMLNode(.mapping(pairs), at: location)
        }
    }
}
