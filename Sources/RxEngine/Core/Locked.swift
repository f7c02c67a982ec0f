// Unchecked: the lock guards the value.
/// A value with the ``Lock`` that guards it, in an object of its own.
///
/// It is usable from inline code so that the package's other modules specialize it for their values.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline
    let lock = Lock()
    @usableFromInline @exclusivity(unchecked)
    var value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` on the value, under the lock. `body` decides and returns what to do; it calls no user code.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.locked { try body(&value) }
    }
}
