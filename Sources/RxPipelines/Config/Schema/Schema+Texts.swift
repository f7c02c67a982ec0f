import RxDiagnostics
import RxJSON

extension Schema {
    /// The schema of a text with a reference `${…}`, which may stand for any value.
    static let reference: JSON = ["$ref": "#/$defs/reference"]

    /// A schema that also accepts a text with a reference.
    static func orReference(_ schema: JSON) -> JSON { ["anyOf": [schema, reference]] }

    /// The schema of a text that matches a pattern or contains a reference. Numbers and booleans are accepted, too,
    /// since YAML reads some texts as such.
    static func text(_ pattern: String? = nil) -> JSON {
        var schema: JSON = ["type": ["string", "number", "boolean"]]
        if let pattern { schema["pattern"] = .string(#"\#(pattern)|\$\{"#) }
        return schema
    }

    /// The schema of a text that is not empty.
    static var someText: JSON {
        var schema = text()
        schema["minLength"] = 1
        return schema
    }

    /// The schema of a duration. The range applies only to numbers of seconds.
    static func duration(_ range: ClosedRange<Duration>? = nil) -> JSON {
        var schema: JSON = ["$ref": "#/$defs/duration"]
        guard let range else { return schema }
        if range.lowerBound > .zero {
            schema["minimum"] = .number(range.lowerBound / .seconds(1))
            schema["pattern"] = #"[1-9]|\$\{"#
        }
        schema["maximum"] = .number(range.upperBound / .seconds(1))
        return schema
    }

    /// The schema of a duration longer than 0.
    static var period: JSON {
        ["$ref": "#/$defs/duration", "exclusiveMinimum": 0, "pattern": #"[1-9]|\$\{"#]
    }

    /// The schema of an inner source.
    static let innerSource: JSON = ["$ref": "#/$defs/innerSource"]

    /// The schemas that others refer to, except those of kinds.
    static var definitions: JSON {
        [
            "reference": ["type": "string", "pattern": #"\$\{"#],
            "template": ["type": "string", "pattern": #"\{\{"#],
            "duration": [
                "type": ["string", "number"], "minimum": 0,
                "pattern": .string(#"\#(SystemdDuration.pattern)|\$\{"#),
            ],
        ]
    }

    /// This schema with a template allowed in place of any value that is not a list or mapping.
    static func withTemplates(_ schema: JSON) -> JSON {
        guard schema.object != nil else { return schema }
        guard holdsCollection(schema) else { return orTemplate(schema) }
        let inside = ["properties", "additionalProperties", "items", "prefixItems", "anyOf"]
        var result = JSON.Object()
        for (key, value) in schema.object?.members ?? [] {
            result[key] = inside.contains(key) ? withTemplatesInside(value, isMap: key == "properties") : value
        }
        return .object(result)
    }

    /// Whether a schema accepts a list or a mapping.
    private static func holdsCollection(_ schema: JSON) -> Bool {
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        return types.contains("object") || types.contains("array")
            || schema["anyOf"]?.array?.contains(where: holdsCollection) == true
    }

    private static func orTemplate(_ schema: JSON) -> JSON {
        let template: JSON = ["$ref": "#/$defs/template"]
        guard var schema = schema.object else { return schema }
        if let choices = schema["anyOf"]?.array {
            schema["anyOf"] = .array(choices + [template])
            return .object(schema)
        }
        let description = schema["description"]
        schema["description"] = nil
        var either: JSON = ["anyOf": [.object(schema), template]]
        either["description"] = description
        return either
    }

    /// Allows templates in a part of a schema, as ``withTemplates(_:)`` does in a schema.
    ///
    /// - Parameters:
    ///   - value: the part.
    ///   - isMap: whether its keys are names of properties, and not keywords of a schema.
    private static func withTemplatesInside(_ value: JSON, isMap: Bool) -> JSON {
        if let array = value.array { return .array(array.map(withTemplates)) }
        guard isMap, let object = value.object else { return withTemplates(value) }
        var result = JSON.Object()
        for (name, schema) in object.members { result[name] = withTemplates(schema) }
        return .object(result)
    }
}

extension SystemdDuration {
    /// The pattern of a duration, without a limit of its length.
    static var pattern: String {
        let number = #"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"#
        let unit = "(?:\(allUnitNames.joined(separator: "|")))"
        return #"^(?=.*[0-9])\s*(?:\#(number)(?:\s*\#(unit)\s*|\s+))*(?:\#(number))?$"#
    }
}
