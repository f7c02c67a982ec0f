import RxJSON
import RxYAML

extension Schema {
    /// What stands for a value of any kind of source, step or sink, by what is expected there; nil for anything else.
    /// The kinds are listed once, since a step may hold a source.
    static func kind(_ expected: String) -> JSON? {
        let tables = [
            ("source", Registry.sources.type.expected), ("step", Registry.steps.type.expected),
            ("sink", Registry.sinks.type.expected),
        ]
        return tables.first { $0.1 == expected }.map { ["$ref": .string("#/$defs/\($0.0)")] }
    }
}

extension Plan {
    /// The JSON Schema of a config.
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

    /// A source that an event makes: one of the same kinds, with templates anywhere in it and an expression beside it.
    private static var innerSource: JSON {
        let names = Registry.sources.names
        var schema = Schema.withTemplates(Registry.sources.schema(isInnerSource: true))
        var properties = schema["properties"] ?? [:]
        properties["map"] = InnerSource.selector(of: "flatMap").schema
        properties["retry"] = Schema.of { node, context in FieldType.retryPolicy.read(node, context) }
        schema["properties"] = properties
        schema["minProperties"] = nil
        schema["maxProperties"] = nil
        schema["oneOf"] = .array(names.map { ["required": [.string($0)]] })
        return schema
    }

    /// The same, for people and for a file.
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
            var schema = Schema.ofEither(isInnerSource: isInnerSource, read)
            if Schema.takesNothing(read) {
                alone.append(.string(name))
                schema = schema.map(Schema.orNothing) ?? ["type": "null"]
            }
            properties[name] = schema ?? [:]
        }
        let mapping: JSON = [
            "type": "object", "properties": .object(properties), "additionalProperties": false, "minProperties": 1,
            "maxProperties": 1,
        ]
        return alone.isEmpty ? mapping : ["anyOf": [mapping, ["enum": .array(alone)]]]
    }
}

extension JSON {
    /// On several lines, two spaces a level.
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
