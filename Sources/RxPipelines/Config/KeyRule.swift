import RxJSON

/// A rule for the keys of a mapping, which the reader checks and the schema contains.
enum KeyRule: Sendable, Equatable {
    case exactlyOne([String])
    case atLeastOne([String])
    case atMostOne([String])
    /// The first key may be given only with the second one.
    case needs(String, String)
    /// A key must not be given if another key has one of these values.
    case isNotGiven(String, where: String, is: [String])
}

extension FieldReader {
    /// Checks a rule, and notes it for the schema. Call it before ``finish()``, after which nothing is noted.
    ///
    /// - Returns: `nil` if the rule is kept. Otherwise the given keys that exclude each other, the key that needs
    ///   another, or an empty list if one of several keys is missing.
    mutating func breaks(_ rule: KeyRule) -> [String]? {
        add(rule)
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
    /// The schemas of the rule, for `allOf`.
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
