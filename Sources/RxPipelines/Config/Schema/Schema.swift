/// The JSON Schema (2020-12) of the config, made of what its readers ask for: run on nothing, each tells its keys and
/// their types, so that the schema cannot differ from what is read.
package enum Schema {
    /// The schema of what `read` reads, or nil where it asks for nothing.
    static func of<Value>(_ read: (YAMLNode, Report) throws -> Value?) -> JSON? {
        of(nothing, read)
    }

    /// The same where `read` may ask for one thing in a mapping, and for another where there is none: `take: 3`, or
    /// `take: { for: 10s }`.
    static func ofEither<Value>(_ read: (YAMLNode, Report) throws -> Value?) -> JSON? {
        let text = YAMLNode.Scalar(LocatedText("1", at: nothing.location), isPlain: true)
        let (mapping, value) = (of(nothing, read), of(YAMLNode(.scalar(text), at: nothing.location), read))
        guard let mapping, let value, mapping != value else { return mapping ?? value }
        return ["anyOf": [value, mapping]]
    }

    private static func of<Value>(_ node: YAMLNode, _ read: (YAMLNode, Report) throws -> Value?) -> JSON? {
        let outline = SchemaOutline()
        _ = try? read(node, Report(outline))
        return outline.schema
    }

    /// Whether `read` takes nothing at all for a value.
    static func takesNothing<Value>(_ read: (YAMLNode, Report) -> Value?) -> Bool {
        let report = Report()
        let empty = LocatedText("", at: nothing.location)
        return read(YAMLNode(.scalar(.init(empty, isPlain: true)), at: nothing.location), report) != nil
    }

    private static var nothing: YAMLNode {
        YAMLNode(.mapping([]), at: SourceLocation(file: "", line: 1, column: 1))
    }

    /// Whether a schema says that a value may be an object, and of what no more.
    static func isOpen(_ schema: JSON) -> Bool {
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        return types.contains("object") && schema.object?.count == 1
    }

    static func orNothing(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }

    /// A text with a reference in it, which may stand for any value.
    static let reference: JSON = ["$ref": "#/$defs/reference"]

    /// The schema, or a text with a reference in it.
    static func orReference(_ schema: JSON) -> JSON { ["anyOf": [schema, reference]] }
}
