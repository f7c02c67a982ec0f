import Synchronization

/// A number that identifies an expression or a client for as long as the process runs.
///
/// Whoever keeps an identity need not retain the object. An address identifies an object only while that lives: the
/// next one may get the same address.
package struct JQIdentity: Hashable, Sendable {
    private static let last = Atomic(0)
    private let number: Int

    /// Creates an identity that no other object has had.
    package init() {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
