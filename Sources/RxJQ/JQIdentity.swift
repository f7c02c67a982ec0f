import Synchronization

/// A number that identifies an expression or a client for as long as the process runs.
///
/// What remembers one needs not retain the object. An address identifies it only while it lives: the next object may get
/// the same one.
package struct JQIdentity: Hashable, Sendable {
    private static let last = Atomic(0)
    private let number: Int

    /// Creates an identity that no other object has had.
    package init() {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
