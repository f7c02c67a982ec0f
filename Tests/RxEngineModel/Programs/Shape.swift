extension Node {
    /// The names of the operators and sources, without their parameters.
    package var shape: String {
        let name = name
        return children.isEmpty ? name : "\(name)(\(children.map(\.shape).joined(separator: ",")))"
    }

    /// The name of the operator or source.
    package var name: String {
        switch self {
        case .source(let source): Self.label(source)
        case .one(let name, _): Self.label(name)
        case .two(let name, _, _): Self.label(name)
        case .many(let name, let nodes): Self.label(name) + (name.isFixed ? "\(nodes.count)" : "")
        case .each(let name, _, _): Self.label(name)
        }
    }

    /// Adds the names of all operators and sources to `counts`.
    package func count(into counts: inout [String: Int]) {
        counts[name, default: 0] += 1
        for child in children { child.count(into: &counts) }
    }

    private static func label(_ value: some Hashable) -> String {
        if case .via(let trait, let name)? = value as? Source { return "\(trait).\(label(name))" }
        if case .via(let trait, let name)? = value as? OneSource { return "\(trait).\(label(name))" }
        if case .via(let trait, let name)? = value as? TwoSources { return "\(trait).\(label(name))" }
        if case .via(let trait, let name)? = value as? ManySources { return "\(trait).\(label(name))" }
        if case .via(let trait, let name)? = value as? Flattening { return "\(trait).\(label(name))" }
        if case .andThenTrait(let trait)? = value as? TwoSources { return "andThen.\(trait)" }
        if case .traitFlatMap(let from, let to)? = value as? Flattening { return "\(from).flatMap.\(to)" }
        return Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }
}
