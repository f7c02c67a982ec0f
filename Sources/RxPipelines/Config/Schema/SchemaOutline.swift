import RxJSON

/// Collects the keys and types that a reader asks for while it runs without a configuration.
///
/// Not `Sendable`: it belongs to one reading.
final class SchemaOutline {
    /// The first mapping whose keys the reader has asked for.
    private(set) var mapping: MappingOutline?
    /// The schema of the first value that was read without a mapping around it.
    private(set) var value: JSON?

    /// Whether the reader has asked for nothing.
    var isEmpty: Bool { mapping == nil && value == nil }

    /// The schema of the mapping or value.
    var schema: JSON? { mapping?.schema ?? value }

    /// Begins the mapping; returns `nil` if there is one already, since another one is inside of it.
    func begin(short: String?) -> MappingOutline? {
        guard isEmpty else { return nil }
        let new = MappingOutline(short: short)
        mapping = new
        return new
    }

    func add(_ schema: @autoclosure () -> JSON) {
        if isEmpty { value = schema() }
    }
}

/// The keys of one mapping.
final class MappingOutline {
    private let short: String?
    private var keys: [FieldReader.Key] = []
    private var rules: [KeyRule] = []

    init(short: String?) {
        self.short = short
    }

    func add(_ key: FieldReader.Key) {
        if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }

    func add(_ rule: KeyRule) {
        if !rules.contains(rule) { rules.append(rule) }
    }

    var schema: JSON {
        var properties = JSON.Object()
        for key in keys {
            var schema = key.schema
            if !(schema.object?.isEmpty ?? true) || !key.meaning.isEmpty, !Schema.isKind(schema) {
                schema["description"] = .string(key.description)
            }
            properties[key.name] = schema
        }
        var mapping: JSON = ["type": "object", "properties": .object(properties), "additionalProperties": false]
        let required = keys.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { mapping["required"] = .array(required) }
        let together = rules.flatMap(\.schemas)
        if !together.isEmpty { mapping["allOf"] = .array(together) }
        // If no other key is required, the value of the short key alone stands for the mapping.
        guard let key = keys.first(where: { $0.name == short }), required.allSatisfy({ $0 == .string(key.name) })
        else { return mapping }
        return ["anyOf": [key.schema, mapping]]
    }
}
