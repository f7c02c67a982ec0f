// Unchecked: the value is behind the lock.
/// A value behind a ``Lock``, where an object more does not matter.
///
/// It is usable from inline code so that the package's other modules have it specialized for their values.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline
    let lock = Lock()
    @usableFromInline
    var value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` on the value. It decides and returns what to do; it calls nobody.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.locked { try body(&value) }
    }
}
