/// The `rx` namespace of a type. To add to it, extend `Reactive where Base == YourType`.
///
/// The namespace of an object has a ``Binder`` for each writable property:
///
///     titles.bind(to: window.rx.title)
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The value whose namespace this is.
    public let base: Base

    /// Creates the namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}

extension Reactive where Base: AnyObject {
    /// Returns a binder that sets the property at `keyPath` on the main thread.
    public subscript<Property>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Base, Property>
    ) -> Binder<Property> {
        // Safe although marked unsafe: a key path is immutable. It is not sendable because it may lead to state that an
        // actor isolates, and the binder uses it on the main actor only.
        nonisolated(unsafe) let keyPath = keyPath
        return Binder(base) { base, value in base[keyPath: keyPath] = value }
    }
}

/// A type with an `rx` namespace.
public protocol ReactiveCompatible {
    /// The type whose namespace this is.
    associatedtype ReactiveBase = Self

    /// The namespace of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }
    /// The namespace of the value.
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    /// The namespace of the type. It is settable so that bindings can be written through it; setting it does nothing.
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        set { _ = newValue }
    }

    /// The namespace of the value. It is settable so that bindings can be written through it; setting it does nothing.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set { _ = newValue }
    }
}
