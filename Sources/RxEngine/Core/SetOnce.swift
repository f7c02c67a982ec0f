import Synchronization

/// A reference that is set once and read without a lock.
///
/// The standard library's `AtomicLazyReference` does the same, but it is not specialized, and the ThreadSanitizer
/// cannot see into it.
package struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    let reference = Atomic<Unmanaged<Object>?>(nil)

    @inlinable
    package init() {}

    @inlinable
    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    /// The object; `nil` before ``set(_:)``.
    @inlinable
    package var object: Object? {
        reference.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Sets the object.
    ///
    /// - Returns: `false` if an object is set already, which stays.
    @inlinable
    package func set(_ object: Object) -> Bool {
        let new = Unmanaged.passRetained(object)
        let (isSet, _) = reference.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        if !isSet { new.release() }
        return isSet
    }
}
