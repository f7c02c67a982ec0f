import RxJSON
import RxYAML

extension Schema {
    /// The reference to the schema of all sources, steps or sinks, by the description of the type; `nil` for any other
    /// type. References are needed since a step may contain a source.
    static func kind(_ expected: String) -> JSON? {
        let tables = [
            ("source", Registry.sources.type.expected), ("step", Registry.steps.type.expected),
            ("sink", Registry.sinks.type.expected),
        ]
        return tables.first { $0.1 == expected }.map { ["$ref": .string("#/$defs/\($0.0)")] }
    }
}

extension Plan {
    /// The JSON Schema of a configuration.
    package static var schema: JSON {
        var schema: JSON = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "rxwatchd.yaml",
            "description": "The configuration of rxwatchd, see rxwatchd.yaml(5)",
        ]
        let root = Schema.of { node, context in try read(node, context) }
        for (key, value) in root?.object?.members ?? [] { schema[key] = value }
        var definitions: JSON = [
            "source": Registry.sources.schema(),
            "step": Registry.steps.schema(),
            "sink": Registry.sinks.schema(),
            "innerSource": innerSource,
        ]
        for (name, definition) in Schema.definitions.object?.members ?? [] { definitions[name] = definition }
        schema["$defs"] = definitions
        return schema
    }

    /// The schema of an inner source: any source with templates in it, and with `map` and `retry` beside it.
    private static var innerSource: JSON {
        let names = Registry.sources.names
        var schema = Schema.withTemplates(Registry.sources.schema(isInnerSource: true))
        var properties = schema["properties"] ?? [:]
        var selector = InnerSource.selector(of: "flatMap").schema
        selector["description"] = "The value to emit, made of the source's event and $outer"
        properties["map"] = selector
        var retry = Schema.of { node, context in FieldType.retryPolicy.read(node, context) } ?? [:]
        retry["description"] = "When the source runs again after a failure; default: never"
        properties["retry"] = retry
        schema["properties"] = properties
        schema["minProperties"] = nil
        schema["maxProperties"] = nil
        schema["oneOf"] = .array(names.map { ["required": [.string($0)]] })
        return schema
    }

    /// The JSON Schema of a configuration as indented text.
    package static var schemaText: String { schema.indented }
}

extension KindTable {
    /// The schema of a value of any of the kinds.
    fileprivate func schema(isInnerSource: Bool = false) -> JSON {
        let type = type
        var properties = JSON.Object()
        var alone: [JSON] = []
        for name in names {
            func read(_ node: YAMLNode, _ context: ReadingContext) -> Kind? {
                let pair = YAMLNode.Pair(name, at: node.location, node)
                return type.reader(YAMLNode(.mapping([pair]), at: node.location), context)?.kind
            }
            var schema = Schema.ofScalarOrMapping(isInnerSource: isInnerSource, read)
            if Schema.acceptsNull(read) {
                alone.append(.string(name))
                schema = schema.map(Schema.orNull) ?? ["type": "null"]
            }
            var described = schema ?? [:]
            if let meaning = meaning(of: name) { described["description"] = .string(meaning) }
            properties[name] = described
        }
        let mapping: JSON = [
            "type": "object", "properties": .object(properties), "additionalProperties": false, "minProperties": 1,
            "maxProperties": 1,
        ]
        return alone.isEmpty ? mapping : ["anyOf": [mapping, ["enum": .array(alone)]]]
    }
}

extension JSON {
    /// The value on several lines, indented by two spaces for each level.
    fileprivate var indented: String { indented(by: "") }

    private func indented(by margin: String) -> String {
        let deeper = margin + "  "
        switch self {
        case .array(let values) where values.contains { $0.object != nil }:
            return "[\n" + values.map { deeper + $0.indented(by: deeper) }.joined(separator: ",\n") + "\n\(margin)]"
        case .array(let values):
            return "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let object) where !object.isEmpty:
            let members = object.members.map { key, value in
                "\(deeper)\(JSON.string(key)): \(value.indented(by: deeper))"
            }
            return "{\n" + members.joined(separator: ",\n") + "\n\(margin)}"
        default: return description
        }
    }
}
