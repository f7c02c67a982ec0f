import RxJSON
import RxYAML

/// A type of values in a configuration: its description, its JSON schema and its reader.
package struct FieldType<Value> {
    /// A description with an example, for messages: "a duration such as 10s".
    package let expected: String
    private let declared: () -> JSON
    let reader: (YAMLNode, ReadingContext) -> Value?

    /// Makes a type.
    ///
    /// - Parameters:
    ///   - expected: a description with an example, for messages.
    ///   - schema: the JSON schema. For mappings that ``FieldReader`` reads, `{type: object}` is enough: the schema of their
    ///     keys is made of the reader.
    ///   - read: reads a node; returns `nil` after reporting an error.
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
        return Schema.acceptsNull(reader) ? Schema.orNull(mapping) : mapping
    }

    /// Reads a node; `nil` after reporting an error.
    package func read(_ node: YAMLNode, _ context: ReadingContext) -> Value? {
        context.outline?.add(schema)
        return reader(node, context)
    }

    /// A type whose values are read from the text of a scalar.
    ///
    /// - Parameters:
    ///   - expected: a description with an example, for messages.
    ///   - schema: the JSON schema.
    ///   - value: returns the value of a text; `nil` if the text is invalid.
    package static func scalar(
        _ expected: String, schema: @autoclosure @escaping () -> JSON, _ value: @escaping (String) -> Value?
    ) -> Self {
        FieldType(expected, schema: schema()) { node, context in
            if let scalar = node.scalar, !node.isNull, let value = value(scalar.text.text) { return value }
            return context.report.wrong(node, expected)
        }
    }

    /// This type with transformed values.
    package func map<Other>(_ transform: @escaping (Value) -> Other) -> FieldType<Other> {
        FieldType<Other>(expected, schema: declared()) { node, context in read(node, context).map(transform) }
    }
}
