import RxDiagnostics
import RxJSON
import RxYAML

/// The JSON Schema (2020-12) of the config, made of what its readers ask for: run on nothing, each notes its keys and
/// their types, so that the schema cannot differ from what is read.
package enum Schema {
    /// The schema of what `read` reads, or nil where it asks for nothing.
    static func of<Value>(_ read: (YAMLNode, ReadingContext) throws -> Value?) -> JSON? {
        of(nothing, isInnerSource: false, read)
    }

    /// The same where `read` may ask for one thing in a mapping, and for another where there is none: `take: 3`, or
    /// `take: { for: 10s }`.
    ///
    /// - Parameter isInnerSource: whether it is a source that an event makes.
    static func ofEither<Value>(
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

    /// Whether `read` takes nothing at all for a value.
    static func takesNothing<Value>(_ read: (YAMLNode, ReadingContext) -> Value?) -> Bool {
        let empty = LocatedText("", at: nothing.location)
        return read(YAMLNode(.scalar(.init(empty, isPlain: true)), at: nothing.location), ReadingContext()) != nil
    }

    private static var nothing: YAMLNode {
        YAMLNode(.mapping([]), at: SourceLocation(file: "", line: 1, column: 1))
    }

    /// Whether a schema says that a value may be an object, and of what no more.
    static func isOpen(_ schema: JSON) -> Bool {
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        return types.contains("object") && schema.object?.count == 1
    }

    private static let kinds = ["source", "step", "sink", "innerSource"]

    /// Whether a schema refers to that of a kind, whose description is there.
    static func isKind(_ schema: JSON) -> Bool {
        kinds.contains { schema["$ref"] == .string("#/$defs/\($0)") }
    }

    static func orNothing(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }

}
