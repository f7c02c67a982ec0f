/// A reference from an observable to the observable that it is made of.
///
/// Releasing an observable may release all below it, one deinitializer inside the other. Every so many levels, the
/// release of the rest is deferred (``DeferredRelease``).
///
/// It is not generic over the element, whose type the holder knows: looking generic types up would cost more.
struct Upstream: ~Copyable {
    private static let stride: UInt32 = 64

    // Unmanaged: the deinitializer of the holder decides whether to release it at once or later.
    private let object: Unmanaged<AnyObject>
    /// The number of observables below the holder, modulo a power of two.
    let depth: UInt32

    init<Element>(_ observable: Observable<Element>) {
        object = .passRetained(observable)
        depth = observable.depth &+ 1
    }

    /// Calls `body` with the observable. `Element` must be the type that the reference was made with.
    @inline(__always)
    func with<Element, Result>(_ body: (Observable<Element>) throws -> Result) rethrows -> Result {
        try object._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: Observable<Element>.self)) }
    }

    deinit {
        if depth % Self.stride != 0 { object.release() } else { DeferredRelease.release(object.takeRetainedValue()) }
    }
}
