import RxJSON

/// The type of a source's values, or of a member of them, as far as known. A member may also be null.
package enum ValueType: Sendable {
    /// Nothing is known.
    case any
    case boolean
    case number
    case text
    /// One of these texts.
    case choice([String])
    /// An object with these members and no others.
    case object(KeyValuePairs<String, ValueType>)
    /// An object whose members are unknown.
    case map
    /// An object with the fields of a journal entry.
    case journalEntry
}

extension ValueType {
    /// The names of the members, if all are known.
    var members: [String]? {
        if case .object(let members) = self { members.map(\.key) } else { nil }
    }

    /// The texts that the value may be, if it is one of a closed list.
    var choices: [String]? {
        if case .choice(let texts) = self { texts } else { nil }
    }

    /// The type of a member; `nil` if a value never has it.
    func memberType(_ member: String) -> ValueType? {
        switch self {
        case .object(let members): members.first { $0.key == member }?.value
        case .journalEntry: JournalSource.fieldType(member)
        case .any, .boolean, .number, .text, .choice, .map: .any
        }
    }

    /// Whether a value may be this one.
    func admits(_ value: JSON) -> Bool {
        switch (self, value) {
        case (.any, _), (_, .null), (.boolean, .bool), (.number, .number), (.text, .string), (.map, .object),
            (.journalEntry, .object):
            true
        case (.choice(let texts), .string(let text)): texts.contains(text)
        case (.object, .object(let object)):
            object.members.allSatisfy { key, value in memberType(key)?.admits(value) ?? false }
        default: false
        }
    }

    /// The type in a sentence: "is a number".
    var described: String {
        switch self {
        case .any: "any value"
        case .boolean: "true or false"
        case .number: "a number"
        case .text, .choice: "a text"
        case .object, .map, .journalEntry: "an object"
        }
    }

    /// The place of the type in the order in which jq sorts values of different types; `nil` if it is unknown.
    var rank: Int? {
        switch self {
        case .any: nil
        case .boolean: 1
        case .number: 2
        case .text, .choice: 3
        case .object, .map, .journalEntry: 5
        }
    }
}
