import RxJSON
import RxYAML

/// How the value of a key is read: what is expected, in words and as a JSON schema, and the reading itself.
package struct FieldType<Value> {
    /// What is expected, with an example: "a duration such as 10s".
    package let expected: String
    private let declared: () -> JSON
    let reader: (YAMLNode, ReadingContext) -> Value?

    /// A type whose values are mappings read by ``Fields`` says in its schema only that they are objects: their keys
    /// are known from the reading.
    package init(
        _ expected: String, schema: @autoclosure @escaping () -> JSON,
        read: @escaping (YAMLNode, ReadingContext) -> Value?
    ) {
        self.expected = expected
        declared = schema
        reader = read
    }

    /// The JSON schema of the value.
    package var schema: JSON {
        let declared = declared()
        if let kind = Schema.kind(expected) { return kind }
        guard Schema.isOpen(declared), let mapping = Schema.of(reader) else { return declared }
        return Schema.takesNothing(reader) ? Schema.orNothing(mapping) : mapping
    }

    /// The value of a node; nil after reporting why there is none.
    package func read(_ node: YAMLNode, _ context: ReadingContext) -> Value? {
        context.outline?.note(schema)
        return reader(node, context)
    }

    /// A type whose values are made of a scalar's text; `value` gives nil for a text that is none.
    package static func scalar(
        _ expected: String, schema: @autoclosure @escaping () -> JSON, _ value: @escaping (String) -> Value?
    ) -> Self {
        FieldType(expected, schema: schema()) { node, context in
            if let scalar = node.scalar, !node.isNull, let value = value(scalar.text.text) { return value }
            return context.report.wrong(node, expected)
        }
    }

    /// The same type with its values turned into others.
    package func map<Other>(_ transform: @escaping (Value) -> Other) -> FieldType<Other> {
        FieldType<Other>(expected, schema: declared()) { node, context in read(node, context).map(transform) }
    }
}
