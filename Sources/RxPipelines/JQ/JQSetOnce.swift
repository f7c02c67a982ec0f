import Synchronization

/// A reference that is set once, and read without a lock.
///
/// `AtomicLazyReference` is that, too, but the library's is not specialized: reading it takes as long as jq does for a
/// short expression.
struct JQSetOnce<Object: AnyObject & Sendable>: ~Copyable {
    private let reference = Atomic<Unmanaged<Object>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    var object: Object? {
        reference.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Sets it; false when it is set already.
    func set(_ object: Object) -> Bool {
        let new = Unmanaged.passRetained(object)
        let (isSet, _) = reference.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        if !isSet { new.release() }
        return isSet
    }
}
