import RxDiagnostics
import RxJSON
import RxYAML

/// The JSON Schema (2020-12) of the configuration.
///
/// It is made by the readers themselves: run on an empty mapping, each reader notes its keys and their types, so that
/// the schema cannot differ from the reading.
package enum Schema {
    /// The schema of the values that `read` reads; `nil` if it asks for nothing.
    static func of<Value>(_ read: (YAMLNode, ReadingContext) throws -> Value?) -> JSON? {
        of(nothing, isInnerSource: false, read)
    }

    /// The schema of the values that `read` reads, if it accepts a scalar and a mapping, as in `take: 3` and
    /// `take: { for: 10s }`.
    ///
    /// - Parameters:
    ///   - isInnerSource: whether `read` reads an inner source.
    ///   - read: the reader.
    static func ofScalarOrMapping<Value>(
        isInnerSource: Bool = false, _ read: (YAMLNode, ReadingContext) throws -> Value?
    ) -> JSON? {
        let text = YAMLNode.Scalar(LocatedText("1", at: nothing.location), isPlain: true)
        let mapping = of(nothing, isInnerSource: isInnerSource, read)
        let value = of(YAMLNode(.scalar(text), at: nothing.location), isInnerSource: isInnerSource, read)
        guard let mapping, let value, mapping != value else { return mapping ?? value }
        return ["anyOf": [value, mapping]]
    }

    private static func of<Value>(
        _ node: YAMLNode, isInnerSource: Bool, _ read: (YAMLNode, ReadingContext) throws -> Value?
    ) -> JSON? {
        let outline = SchemaOutline()
        _ = try? read(node, ReadingContext(outline, isInnerSource: isInnerSource))
        return outline.schema
    }

    /// Whether `read` accepts null.
    static func acceptsNull<Value>(_ read: (YAMLNode, ReadingContext) -> Value?) -> Bool {
        let empty = LocatedText("", at: nothing.location)
        return read(YAMLNode(.scalar(.init(empty, isPlain: true)), at: nothing.location), ReadingContext()) != nil
    }

    private static var nothing: YAMLNode {
        YAMLNode(.mapping([]), at: SourceLocation(file: "", line: 1, column: 1))
    }

    /// Whether a schema accepts an object without a description of its keys.
    static func isOpen(_ schema: JSON) -> Bool {
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        return types.contains("object") && schema.object?.count == 1
    }

    private static let kinds = ["source", "step", "sink", "innerSource"]

    /// Whether a schema is a reference to that of all sources, steps or sinks, which has a description of its own.
    static func isKind(_ schema: JSON) -> Bool {
        kinds.contains { schema["$ref"] == .string("#/$defs/\($0)") }
    }

    /// A schema that also accepts null.
    static func orNull(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }

}
