/// The observable that another one is made of.
///
/// Letting go of one may be letting go of all below it, each from inside the other; every so many levels the rest is
/// left to whoever on this thread began it (``LettingGo``).
///
/// It does not tell the type of element, which those who hold it know: looking generic types up would cost more.
struct Upstream: ~Copyable {
    private static let stride: UInt32 = 64

    // Unmanaged: whether it goes here or later is decided when its holder goes.
    private let object: Unmanaged<AnyObject>
    /// How many observables there are below its holder, modulo a power of two.
    let depth: UInt32

    init<Element>(_ observable: Observable<Element>) {
        object = .passRetained(observable)
        depth = observable.depth &+ 1
    }

    /// The observable; `Element` is what it was made with.
    @inline(__always)
    func with<Element, Result>(_ body: (Observable<Element>) throws -> Result) rethrows -> Result {
        try object._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: Observable<Element>.self)) }
    }

    deinit {
        if depth % Self.stride != 0 { object.release() } else { LettingGo.leave(object.takeRetainedValue()) }
    }
}
