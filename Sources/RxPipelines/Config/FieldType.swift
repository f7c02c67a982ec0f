/// How the value of a key is read: what is expected, in words and as a JSON schema, and the reading itself.
package struct FieldType<Value> {
    /// What is expected, with an example: "a duration such as 10s".
    package let expected: String
    /// The JSON schema of the value.
    package let schema: JSON
    /// The value of a node; nil after reporting why there is none.
    package let read: (YAMLNode, Report) -> Value?

    package init(_ expected: String, schema: JSON, read: @escaping (YAMLNode, Report) -> Value?) {
        self.expected = expected
        self.schema = schema
        self.read = read
    }

    /// A type whose values are made of a scalar's text; `value` gives nil for a text that is none.
    package static func scalar(_ expected: String, schema: JSON, _ value: @escaping (String) -> Value?) -> Self {
        FieldType(expected, schema: schema) { node, report in
            if let scalar = node.scalar, !node.isNull, let value = value(scalar.text.text) { return value }
            return report.wrong(node, expected)
        }
    }

    /// The same type with its values turned into others.
    package func map<Other>(_ transform: @escaping (Value) -> Other) -> FieldType<Other> {
        FieldType<Other>(expected, schema: schema) { node, report in read(node, report).map(transform) }
    }
}

extension Report {
    /// Reports a value of the wrong type, and is nil for the reader to return.
    package func wrong<Value>(_ node: YAMLNode, _ expected: String) -> Value? {
        add("expected \(expected), found \(node.described)", at: node.location)
        return nil
    }
}
