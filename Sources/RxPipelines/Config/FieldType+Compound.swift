extension FieldType {
    /// A list of values of one type. What is wrong with one of them does not keep the others from being read.
    package static func list<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let expected = "a list, each \(element.expected)"
        return FieldType(expected, schema: ["type": "array", "items": element.schema]) { node, report in
            guard let nodes = node.sequence else { return report.wrong(node, expected) }
            let values = nodes.compactMap { element.read($0, report) }
            return values.count == nodes.count ? values : nil
        }
    }

    /// A mapping from names of the user's choice to values of one type, in the order of the file.
    package static func map<Element>(of element: FieldType<Element>) -> Self
    where Value == [(name: String, location: SourceLocation, value: Element)] {
        let expected = "a mapping, each value \(element.expected)"
        let schema: JSON = ["type": "object", "additionalProperties": element.schema]
        return FieldType(expected, schema: schema) { node, report in
            guard let pairs = node.mapping else { return report.wrong(node, expected) }
            let values = pairs.compactMap { pair in
                element.read(pair.value, report).map { (name: pair.key, location: pair.keyLocation, value: $0) }
            }
            return values.count == pairs.count ? values : nil
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
        return FieldType(expected, schema: ["enum": .array(names.map(JSON.string))]) { node, report in
            guard let scalar = node.scalar else { return report.wrong(node, expected) }
            if let choice = choices.first(where: { $0.name == scalar.text.text }) { return choice.value }
            let hint = scalar.isSecret ? "" : Nearest.hint(for: scalar.text.text, in: names)
            report.add("expected \(expected), found \(node.described)\(hint)", at: node.location)
            return nil
        }
    }
}

extension FieldType where Value == JSON {
    /// Any value.
    package static var json: Self {
        FieldType("a value", schema: [:]) { node, report in node.json(report) }
    }
}

extension FieldType where Value == YAMLNode {
    /// Any value, left for another reader.
    package static func node(_ expected: String, schema: JSON = [:]) -> Self {
        FieldType(expected, schema: schema) { node, _ in node }
    }
}
