import RxJSON
import RxPipelines

/// A validator for the part of JSON Schema that the configuration's schema uses.
struct SchemaValidator {
    let root: JSON

    private static let known: Set<String> = [
        "$schema", "$defs", "title", "description", "$ref", "anyOf", "enum", "type", "properties", "required",
        "additionalProperties", "minProperties", "maxProperties", "items", "minimum", "maximum", "exclusiveMinimum",
        "minLength", "pattern",
        "allOf", "oneOf", "not", "dependentRequired", "propertyNames", "minItems", "prefixItems",
    ]

    /// The places where a value violates the schema: paths such as `/sources/a`.
    func errors(in value: JSON) throws -> [String] { try check(value, root, "") }

    private func check(_ value: JSON, _ schema: JSON, _ path: String) throws -> [String] {
        var errors: [String] = []
        func expect(_ isRight: Bool, _ why: String) {
            if !isRight { errors.append("\(path): \(why)") }
        }
        for key in schema.object?.keys ?? [] { expect(Self.known.contains(key), "the schema has '\(key)'") }
        if let reference = schema["$ref"]?.string {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            guard let target = root["$defs"]?[name] else { return ["\(path): there is no \(reference)"] }
            errors += try check(value, target, path)
        }
        if let choices = schema["anyOf"]?.array {
            let all = try choices.map { try check(value, $0, path) }
            // No alternative fits: which one was meant is unknown.
            if all.allSatisfy({ !$0.isEmpty }) { errors += all.joined() }
        }
        for part in schema["allOf"]?.array ?? [] { errors += try check(value, part, path) }
        if let choices = schema["oneOf"]?.array {
            let fitting = try choices.filter { try check(value, $0, path).isEmpty }.count
            expect(fitting == 1, "\(fitting) of \(choices.count) choices fit")
        }
        if let excluded = schema["not"] {
            let fits = try check(value, excluded, path).isEmpty
            expect(!fits, "it is \(excluded)")
        }
        if let values = schema["enum"]?.array { expect(values.contains(value), "\(value) is none of \(values)") }
        if let type = schema["type"] {
            let types = (type.array ?? [type]).compactMap(\.string)
            expect(types.contains { has(value, $0) }, "\(value) is no \(types)")
        }
        if let object = value.object {
            for name in schema["required"]?.array ?? [] {
                expect(object[name.string ?? ""] != nil, "\(name) is missing")
            }
            if let least = schema["minProperties"]?.number { expect(Double(object.count) >= least, "too few keys") }
            if let most = schema["maxProperties"]?.number { expect(Double(object.count) <= most, "too many keys") }
            for (key, others) in schema["dependentRequired"]?.object?.members ?? [] where object[key] != nil {
                for other in others.array ?? [] {
                    expect(object[other.string ?? ""] != nil, "\(other) goes with '\(key)'")
                }
            }
            for (key, member) in object.members {
                if let names = schema["propertyNames"] { errors += try check(.string(key), names, "\(path)/\(key)") }
                if let schema = schema["properties"]?[key] {
                    errors += try check(member, schema, "\(path)/\(key)")
                } else if let more = schema["additionalProperties"] {
                    expect(more != false, "unknown key '\(key)'")
                    if more.object != nil { errors += try check(member, more, "\(path)/\(key)") }
                }
            }
        }
        if let least = schema["minItems"]?.number, let list = value.array {
            expect(Double(list.count) >= least, "too few")
        }
        for (index, element) in (value.array ?? []).enumerated() {
            if let first = schema["prefixItems"]?.array, index < first.count {
                errors += try check(element, first[index], "\(path)/\(index)")
            }
            if let items = schema["items"] { errors += try check(element, items, "\(path)/\(index)") }
        }
        if let number = value.number {
            if let least = schema["minimum"]?.number { expect(number >= least, "less than \(least)") }
            if let bound = schema["exclusiveMinimum"]?.number { expect(number > bound, "not more than \(bound)") }
            if let most = schema["maximum"]?.number { expect(number <= most, "more than \(most)") }
        }
        if let text = value.string {
            if let least = schema["minLength"]?.number { expect(Double(text.count) >= least, "too short") }
            if let pattern = schema["pattern"]?.string {
                let matches = try text.contains(Regex(pattern))
                expect(matches, "'\(text)' does not match \(pattern)")
            }
        }
        return errors
    }

    private func has(_ value: JSON, _ type: String) -> Bool {
        type == "integer" ? value.number.map { $0 == $0.rounded() } ?? false : value.type == type
    }
}
