/// The `rx` namespace of a type: extend `Reactive where Base == YourType` to add to it.
///
/// Every writable property of an object is there as a ``Binder``:
///
///     titles.bind(to: window.rx.title)
@dynamicMemberLookup
public struct Reactive<Base> {
    /// What the namespace speaks of.
    public let base: Base

    /// The namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}

extension Reactive where Base: AnyObject {
    /// A binder that sets the property at `keyPath`, on the main thread.
    public subscript<Property>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Base, Property>
    ) -> Binder<Property> {
        // Unsafe: a key path is immutable; what makes one not sendable is that it leads to what belongs to an actor,
        // and the binder goes there on the main one.
        nonisolated(unsafe) let keyPath = keyPath
        return Binder(base) { base, value in base[keyPath: keyPath] = value }
    }
}

/// A type with an `rx` namespace.
public protocol ReactiveCompatible {
    /// What the namespace speaks of.
    associatedtype ReactiveBase = Self

    /// The namespace of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }
    /// The namespace of the value.
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    /// The namespace of the type. Setting it does nothing: it is settable so that bindings may be written through it.
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        set { _ = newValue }
    }

    /// The namespace of the value. Setting it does nothing: it is settable so that bindings may be written through it.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set { _ = newValue }
    }
}
