import Synchronization

/// A reference that is set once, and read without a lock.
///
/// The library's `AtomicLazyReference` is that, too, but it is not specialized, and the ThreadSanitizer cannot see into
/// it.
package struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    let reference = Atomic<Unmanaged<Object>?>(nil)

    @inlinable
    package init() {}

    @inlinable
    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    @inlinable
    package var object: Object? {
        reference.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Sets it; false when it is set already.
    @inlinable
    package func set(_ object: Object) -> Bool {
        let new = Unmanaged.passRetained(object)
        let (isSet, _) = reference.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        if !isSet { new.release() }
        return isSet
    }
}
