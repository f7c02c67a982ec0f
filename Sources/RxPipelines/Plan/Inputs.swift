import RxDiagnostics
import RxJSON

/// What a pipeline starts from: one node, or several put together.
package struct Inputs: Sendable {
    /// How several become one, by the names of the operators.
    package enum Combination: String, Sendable, CaseIterable {
        case merge, zip, concat, amb, combineLatest
    }

    /// `nil` where it is one node, as it is.
    package let combination: Combination?
    /// The nodes. Where the config names them for the event's members, all have a member's name.
    let members: [(member: String?, node: LocatedText)]
    /// Where the config says that there are none, and that what others have failed on is all that comes.
    let failuresPlace: SourceLocation?
}

extension Inputs {
    /// What stands under `from:` in place of a node's name.
    static let failures = "onError"

    /// One node, as it is.
    init(_ node: LocatedText) {
        self.init(combination: nil, members: [(nil, node)])
    }

    init(combination: Combination?, members: [(member: String?, node: LocatedText)]) {
        self.init(combination: combination, members: members, failuresPlace: nil)
    }

    /// What others have failed on.
    init(ofFailures place: SourceLocation) {
        self.init(combination: nil, members: [], failuresPlace: place)
    }
}

extension FieldType where Value == [(member: String?, node: LocatedText)] {
    /// The nodes of a combination: a list, or a mapping that gives each a name.
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
        .text("the name of a source or a pipeline", example: "tick", pattern: NodeNames.originPattern)
    }
}

extension Fields {
    /// What the pipeline starts from, under `from` or the name of a combination. Whatever is wrong with it is reported.
    mutating func inputs() -> Inputs? {
        var found: [(key: String, inputs: Inputs?)] = []
        let from = optional("from", .origin)
        if has("from") {
            let isFailures = from?.text == Inputs.failures
            found.append(("from", from.map { isFailures ? Inputs(ofFailures: $0.location) : Inputs($0) }))
        }
        for combination in Inputs.Combination.allCases {
            let key = combination.rawValue
            let members = optional(key, .members)
            if has(key) { found.append((key, members.map { Inputs(combination: combination, members: $0) })) }
        }
        let others = Inputs.Combination.allCases.map(\.rawValue)
        let given = breaks(.exactlyOne(["from"] + others))
        guard let first = found.first else {
            miss(
                "from", "\(FieldType.node.expected), or one of \(others.joined(separator: ", ")) with several",
                or: others)
            return nil
        }
        if let given, given.count > 1 {
            context.report.add(
                "a pipeline starts from one thing, found '\(given[0])' and '\(given[1])'; make two pipelines of it",
                at: location(of: given[1]))
        }
        return first.inputs
    }
}
