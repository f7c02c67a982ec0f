/// A JSON value: an event, or the input or output of an expression.
///
/// Values are equal if they are equal in jq: objects regardless of the order of their keys, texts code point by code
/// point (so that two file names that only look alike differ).
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(Object)
}

extension JSON {
    /// Whether jq's `if` and `select` treat the value as true, which is every value but `null` and `false`.
    package var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }

    /// The name of the value's type in jq: null, boolean, number, string, array or object.
    package var type: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var object: Object? { if case .object(let value) = self { value } else { nil } }

    /// The value of a key; `nil` if the object has no such key or this is not an object.
    ///
    /// Setting on `null` creates an object, setting on another value is ignored, and setting `nil` removes the key.
    package subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            guard var object = self == .null ? Object() : object else { return }
            self = .null
            object[key] = newValue
            self = .object(object)
        }
    }

    /// The element at an index; `nil` if there is none or this is not an array.
    package subscript(index: Int) -> JSON? {
        array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
}

extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): value.hashBytes(into: &hasher)
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension String {
    /// Hashes the bytes, consistent with comparing bytes; `String.hash(into:)` treats canonically equivalent texts as
    /// equal.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
