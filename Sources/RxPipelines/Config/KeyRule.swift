import RxJSON

/// How keys of a mapping go together: what a reader checks, and what the schema says.
enum KeyRule: Sendable, Equatable {
    case exactlyOne([String])
    case atLeastOne([String])
    case atMostOne([String])
    /// A key is given only with another.
    case needs(String, String)
    /// A key is not given where another has one of these values.
    case isNotGiven(String, where: String, is: [String])
}

extension Fields {
    /// The keys that break a rule: those that are given of the ones that exclude each other, the one that needs
    /// another, or none where one of several is missing. `nil` where nothing is broken.
    ///
    /// Called before ``finish()``, which ends the noting of what goes into a schema.
    mutating func breaks(_ rule: KeyRule) -> [String]? {
        note(rule)
        guard isReading else { return nil }
        switch rule {
        case .exactlyOne(let keys):
            let given = keys.filter(has)
            return given.count == 1 ? nil : given
        case .atLeastOne(let keys): return keys.contains(where: has) ? nil : []
        case .atMostOne(let keys):
            let given = keys.filter(has)
            return given.count > 1 ? given : nil
        case .needs(let key, let other): return has(key) && !has(other) ? [key] : nil
        case .isNotGiven(let key, let other, let values):
            return has(key) && text(of: other).map(values.contains) == true ? [key] : nil
        }
    }
}

extension KeyRule {
    /// What a schema says of it, for `allOf`.
    var schemas: [JSON] {
        func required(_ keys: String...) -> JSON { ["required": .array(keys.map(JSON.string))] }
        switch self {
        case .exactlyOne(let keys): return [["oneOf": .array(keys.map { required($0) })]]
        case .atLeastOne(let keys): return [["anyOf": .array(keys.map { required($0) })]]
        case .atMostOne(let keys):
            return keys.indices.flatMap { first in
                keys[(first + 1)...].map { ["not": required(keys[first], $0)] }
            }
        case .needs(let key, let other): return [["dependentRequired": [key: [.string(other)]]]]
        case .isNotGiven(let key, let other, let values):
            var excluded = required(key, other)
            let value: JSON = ["enum": .array(values.map(JSON.string))]
            excluded["properties"] = [other: value]
            return [["not": excluded]]
        }
    }
}
