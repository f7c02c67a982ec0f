import RxDiagnostics
import RxJSON

/// The nodes that a pipeline takes events from: one node, or a combination of several.
package struct InputNodes: Sendable {
    /// The operator that combines several nodes.
    package enum Combination: String, Sendable, CaseIterable {
        case merge, zip, concat, amb, combineLatest

        /// A description for the schema.
        var meaning: String {
            switch self {
            case .merge: "Takes the events of all of these nodes as they come"
            case .zip: "Combines the nth event of each of these nodes"
            case .concat: "Takes the events of these nodes, each after the one before has completed"
            case .amb: "Takes the events of the one of these nodes that emits first"
            case .combineLatest: "Combines the latest event of each of these nodes whenever one emits"
            }
        }
    }

    /// `nil` if the pipeline has one input node.
    package let combination: Combination?
    /// The nodes. If the combination is a mapping, each has the name of a member of the combined event.
    let members: [(member: String?, node: LocatedText)]
    /// The location of `from: onError`, for a pipeline that receives only failed events of others.
    let failuresPlace: SourceLocation?
}

extension InputNodes {
    /// The value of `from:` for a pipeline that receives only failed events of others.
    static let failures = "onError"

    /// A single node.
    init(_ node: LocatedText) {
        self.init(combination: nil, members: [(nil, node)])
    }

    init(combination: Combination?, members: [(member: String?, node: LocatedText)]) {
        self.init(combination: combination, members: members, failuresPlace: nil)
    }

    /// The failed events of other pipelines.
    init(ofFailures place: SourceLocation) {
        self.init(combination: nil, members: [], failuresPlace: place)
    }
}

extension FieldType where Value == [(member: String?, node: LocatedText)] {
    /// The nodes of a combination: a list, or a mapping from names of members to nodes.
    static var members: Self {
        let list = FieldType<[LocatedText]>.list(of: .node)
        let map = FieldType<[(name: String, location: SourceLocation, value: LocatedText)]>.map(of: .node)
        let expected = "nodes such as [tick, api] or { time: tick, state: api }"
        func schema() -> JSON {
            var (listed, named) = (list.schema, map.schema)
            listed["minItems"] = 1
            named["type"] = "object"
            named["minProperties"] = 1
            return ["anyOf": [listed, named]]
        }
        return FieldType(expected, schema: schema()) { node, context in
            guard node.sequence?.isEmpty == false || node.mapping?.isEmpty == false else {
                return context.report.wrong(node, expected)
            }
            if node.mapping == nil { return list.read(node, context)?.map { (nil, $0) } }
            return map.read(node, context)?.map { ($0.name, $0.value) }
        }
    }
}

extension FieldType where Value == LocatedText {
    /// The name of a node, or ``Inputs/failures``.
    fileprivate static var origin: Self {
        let name = text("the name of a source or a pipeline", example: "tick", pattern: NodeNames.originPattern)
        return FieldType(name.expected, schema: name.schema) { node, context in
            if let keys = node.mapping?.map(\.key), let key = keys.first, InputNodes.Combination(rawValue: key) != nil {
                return context.report.wrong(
                    node, name.expected, advice: "; write '\(key):' in place of 'from:', with the same nodes")
            }
            guard let nodes = node.sequence else { return name.read(node, context) }
            let names = nodes.compactMap(\.scalar).filter { !$0.isSecret }.map(\.text.text)
            let advice =
                names.count == 1
                ? "; write 'from: \(names[0])'"
                : "; for the events of several nodes write 'merge: [\(names.joined(separator: ", "))]' instead of 'from'"
            return context.report.wrong(node, name.expected, advice: advice)
        }
    }
}

extension FieldReader {
    /// Reads the inputs of a pipeline from `from` or a combination; `nil` after reporting an error.
    mutating func inputs() -> InputNodes? {
        var found: [(key: String, inputs: InputNodes?)] = []
        let from = optional("from", .origin, "The node whose events the pipeline takes")
        if has("from") {
            let isFailures = from?.text == InputNodes.failures
            found.append(("from", from.map { isFailures ? InputNodes(ofFailures: $0.location) : InputNodes($0) }))
        }
        for combination in InputNodes.Combination.allCases {
            let key = combination.rawValue
            let members = optional(key, .members, combination.meaning)
            if has(key) { found.append((key, members.map { InputNodes(combination: combination, members: $0) })) }
        }
        let others = InputNodes.Combination.allCases.map(\.rawValue)
        let given = breaks(.exactlyOne(["from"] + others))
        guard let first = found.first else {
            addMissing(
                "from", "\(FieldType.node.expected), or one of \(others.joined(separator: ", ")) with several",
                or: others)
            return nil
        }
        if let given, given.count > 1 {
            context.report.add(
                "a pipeline has one input, found '\(given[0])' and '\(given[1])'; remove one, or make two pipelines",
                at: location(of: given[1]))
        }
        return first.inputs
    }
}
