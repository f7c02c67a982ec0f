// Unchecked: the caller that passes the object is responsible for the threads that its closures use it on.
/// A weak reference to an object.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var value: Object?

    init(_ object: Object) {
        value = object
    }
}
