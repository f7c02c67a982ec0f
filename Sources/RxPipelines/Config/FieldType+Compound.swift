import RxDiagnostics
import RxJSON

extension FieldType {
    /// A list of values of one type. What is wrong is only reported: the others are read all the same, so that
    /// they can be looked at, too.
    package static func list<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let expected = "a list, each \(element.expected)"
        return FieldType(expected, schema: ["type": "array", "items": element.schema]) { node, context in
            guard let nodes = node.sequence else { return context.report.wrong(node, expected) }
            return nodes.compactMap { element.read($0, context) }
        }
    }

    /// A list of values of one type, or one value for a list of it alone.
    ///
    /// - Parameter mayBeNone: whether the list may be empty.
    package static func oneOrMore<Element>(
        of element: FieldType<Element>, mayBeNone: Bool = false
    ) -> Self where Value == [Element] {
        let list = FieldType<[Element]>.list(of: element)
        let expected = "\(element.expected), or a list of such"
        func schema() -> JSON {
            var listed = list.schema
            if !mayBeNone { listed["minItems"] = 1 }
            return ["anyOf": [element.schema, listed]]
        }
        return FieldType(expected, schema: schema()) { node, context in
            guard let nodes = node.sequence else { return element.read(node, context).map { [$0] } }
            if nodes.isEmpty, !mayBeNone {
                context.report.add("expected \(expected), found an empty list", at: node.location)
                return nil
            }
            return list.read(node, context)
        }
    }

    /// A program and its arguments, in a list. That there is a program is looked at by whoever reads it.
    static func commandLine<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let list = FieldType<[Element]>.list(of: element)
        func schema() -> JSON {
            var schema = list.schema
            schema["minItems"] = 1
            schema["prefixItems"] = [["minLength": 1]]
            return schema
        }
        return FieldType(list.expected, schema: schema(), read: list.reader)
    }

    /// A mapping from names of the user's choice to values of one type, in the order of the file. Nothing is an empty
    /// one, and what is wrong is as in a list.
    ///
    /// - Parameter names: what the schema says that names match. Those that are read are looked at by whoever reads
    ///   them.
    package static func map<Element>(of element: FieldType<Element>, names: String? = nil) -> Self
    where Value == [(name: String, location: SourceLocation, value: Element)] {
        let expected = "a mapping, each value \(element.expected)"
        func schema() -> JSON {
            var schema: JSON = ["type": ["object", "null"], "additionalProperties": element.schema]
            if let names { schema["propertyNames"] = ["pattern": .string(names)] }
            return schema
        }
        return FieldType(expected, schema: schema()) { node, context in
            if node.isNull { return [] }
            guard let pairs = node.mapping else { return context.report.wrong(node, expected) }
            return pairs.compactMap { pair in
                element.read(pair.value, context).map { (name: pair.key, location: pair.keyLocation, value: $0) }
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
        return FieldType(expected, schema: schema) { node, context in
            guard let scalar = node.scalar else { return context.report.wrong(node, expected) }
            if let choice = choices.first(where: { $0.name == scalar.text.text }) { return choice.value }
            let hint = scalar.isSecret ? "" : Nearest.hint(for: scalar.text.text, in: names)
            context.report.add("expected \(expected), found \(node.described)\(hint)", at: node.location)
            return nil
        }
    }
}
