/// A value with an identity, for a type that has none of its own.
///
/// ```swift
/// Identified(load, id: "load average")
/// Identified(process, id: \.pid)
/// ```
public struct Identified<Value: Equatable, ID: Hashable>: Diffable {
    /// The identity, which stays when the value changes.
    public let id: ID
    /// The value.
    public var value: Value

    /// Gives `value` the identity `id`.
    public init(_ value: Value, id: ID) {
        (self.value, self.id) = (value, id)
    }

    /// Gives `value` the identity that it has at `path`.
    public init(_ value: Value, id path: KeyPath<Value, ID>) {
        self.init(value, id: value[keyPath: path])
    }
}

extension Identified where Value == ID {
    /// Makes `value` its own identity. It cannot change then: another value is another one.
    public init(_ value: Value) {
        self.init(value, id: value)
    }
}

extension Identified: Sendable where Value: Sendable, ID: Sendable {}

/// A title as the header of a section. With an identity of its own, a section can be renamed.
public typealias SectionTitle = Identified<String, String>
