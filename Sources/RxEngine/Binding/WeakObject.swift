// Unchecked: whoever names the object answers for the threads that its closures use it on.
/// An object that is not kept alive.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var value: Object?

    init(_ object: Object) {
        value = object
    }
}
