extension FieldType {
    /// A list of values of one type. Of what is wrong only the report tells: the others are read all the same, so that
    /// they can be looked at, too.
    package static func list<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let expected = "a list, each \(element.expected)"
        return FieldType(expected, schema: ["type": "array", "items": element.schema]) { node, report in
            guard let nodes = node.sequence else { return report.wrong(node, expected) }
            return nodes.compactMap { element.read($0, report) }
        }
    }

    /// A list of values of one type, or one value for a list of it alone.
    package static func oneOrMore<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let list = FieldType<[Element]>.list(of: element)
        let expected = "\(element.expected), or a list of such"
        return FieldType(expected, schema: ["anyOf": [element.schema, list.schema]]) { node, report in
            node.sequence == nil ? element.read(node, report).map { [$0] } : list.read(node, report)
        }
    }

    /// A mapping from names of the user's choice to values of one type, in the order of the file. Nothing is an empty
    /// one, and what is wrong is as in a list.
    package static func map<Element>(of element: FieldType<Element>) -> Self
    where Value == [(name: String, location: SourceLocation, value: Element)] {
        let expected = "a mapping, each value \(element.expected)"
        func schema() -> JSON { ["type": ["object", "null"], "additionalProperties": element.schema] }
        return FieldType(expected, schema: schema()) { node, report in
            if node.isNull { return [] }
            guard let pairs = node.mapping else { return report.wrong(node, expected) }
            return pairs.compactMap { pair in
                element.read(pair.value, report).map { (name: pair.key, location: pair.keyLocation, value: $0) }
            }
        }
    }

    /// One of some words: the cases of an enumeration.
    package static func choice() -> Self where Value: RawRepresentable<String> & CaseIterable {
        choice(Value.allCases.map { ($0.rawValue, $0) })
    }

    /// One of some words, each with what it stands for.
    package static func choice(_ choices: [(name: String, value: Value)]) -> Self {
        let names = choices.map(\.name)
        let expected = names.count > 1 ? "one of \(names.joined(separator: ", "))" : names.joined()
        let schema = Schema.orReference(["enum": .array(names.map(JSON.string))])
        return FieldType(expected, schema: schema) { node, report in
            guard let scalar = node.scalar else { return report.wrong(node, expected) }
            if let choice = choices.first(where: { $0.name == scalar.text.text }) { return choice.value }
            let hint = scalar.isSecret ? "" : Nearest.hint(for: scalar.text.text, in: names)
            report.add("expected \(expected), found \(node.described)\(hint)", at: node.location)
            return nil
        }
    }
}
