import RxJSON

/// What a reader asks for, noted while it is run on nothing.
///
/// Not `Sendable`: it belongs to one reading.
final class SchemaOutline {
    /// The mapping whose keys were asked for first.
    private(set) var mapping: MappingOutline?
    /// The schema of the first value that was read without a mapping around it.
    private(set) var value: JSON?

    /// Whether anything was asked for.
    var isEmpty: Bool { mapping == nil && value == nil }

    /// The schema of what was asked for.
    var schema: JSON? { mapping?.schema ?? value }

    /// Notes a mapping, unless it is inside of one.
    func begin(short: String?) -> MappingOutline? {
        guard isEmpty else { return nil }
        let new = MappingOutline(short: short)
        mapping = new
        return new
    }

    func note(_ schema: @autoclosure () -> JSON) {
        if isEmpty { value = schema() }
    }
}

/// The keys of one mapping.
final class MappingOutline {
    private let short: String?
    private var keys: [Fields.Key] = []
    private var rules: [KeyRule] = []

    init(short: String?) {
        self.short = short
    }

    func note(_ key: Fields.Key) {
        if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }

    func note(_ rule: KeyRule) {
        if !rules.contains(rule) { rules.append(rule) }
    }

    var schema: JSON {
        var properties = JSON.Object()
        for key in keys {
            var schema = key.schema
            if schema.object?.isEmpty == false, !Schema.isKind(schema) { schema["description"] = .string(key.expected) }
            properties[key.name] = schema
        }
        var mapping: JSON = ["type": "object", "properties": .object(properties), "additionalProperties": false]
        let required = keys.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { mapping["required"] = .array(required) }
        let together = rules.flatMap(\.schemas)
        if !together.isEmpty { mapping["allOf"] = .array(together) }
        // The value of that key alone stands for the mapping where no other must be given.
        guard let key = keys.first(where: { $0.name == short }), required.allSatisfy({ $0 == .string(key.name) })
        else { return mapping }
        return ["anyOf": [key.schema, mapping]]
    }
}
