import RxDiagnostics
import RxJSON

extension Schema {
    /// A text with a reference in it, which may stand for any value.
    static let reference: JSON = ["$ref": "#/$defs/reference"]

    /// The schema, or a text with a reference in it.
    static func orReference(_ schema: JSON) -> JSON { ["anyOf": [schema, reference]] }

    /// A text that a pattern matches, or one with a reference in it. YAML has a number or a truth value where a text
    /// looks like one.
    static func text(_ pattern: String? = nil) -> JSON {
        var schema: JSON = ["type": ["string", "number", "boolean"]]
        if let pattern { schema["pattern"] = .string(#"\#(pattern)|\$\{"#) }
        return schema
    }

    /// A text in which something is written.
    static var someText: JSON {
        var schema = text()
        schema["minLength"] = 1
        return schema
    }

    /// A duration; of what is read as a number of seconds, within bounds.
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

    /// A duration that is longer than nothing.
    static var period: JSON {
        ["$ref": "#/$defs/duration", "exclusiveMinimum": 0, "pattern": #"[1-9]|\$\{"#]
    }

    /// A source that an event makes.
    static let innerSource: JSON = ["$ref": "#/$defs/innerSource"]

    /// The schemas that others refer to, but for those of kinds.
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

    /// The same schema, where any text may be a template instead.
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

    /// Whether a value may be a list or a mapping.
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

    /// `isMap` says that the keys of an object are names, and not those of a schema.
    private static func withTemplatesInside(_ value: JSON, isMap: Bool) -> JSON {
        if let array = value.array { return .array(array.map(withTemplates)) }
        guard isMap, let object = value.object else { return withTemplates(value) }
        var result = JSON.Object()
        for (name, schema) in object.members { result[name] = withTemplates(schema) }
        return .object(result)
    }
}

extension SystemdDuration {
    /// What a duration matches, but that it is not too long.
    static var pattern: String {
        let number = #"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"#
        let unit = "(?:\(allUnitNames.joined(separator: "|")))"
        return #"^(?=.*[0-9])\s*(?:\#(number)(?:\s*\#(unit)\s*|\s+))*(?:\#(number))?$"#
    }
}
