/// A sequence whose type says how many elements it may have: a ``Single``, a ``Maybe`` or a ``Completable``.
///
/// It wraps one observable and shares nothing: each subscription starts a run of its own, on no scheduler in
/// particular. What keeps its promise keeps its type; what may not, such as `filter` of a single, changes it.
///
/// | trait | elements | ends with |
/// |---|---|---|
/// | ``Single`` | one, or an error | the element |
/// | ``Maybe`` | one or none, or an error | the element, or without one |
/// | ``Completable`` | none, or an error | its completion |
public struct PrimitiveSequence<Trait, Element>: PrimitiveSequenceType, ObservableConvertibleType, Sendable {
    /// Tells at most one element, and its end right after.
    @usableFromInline let source: Observable<Element>

    /// Takes the word of `source` that it does what the trait promises.
    @inlinable
    init(raw source: Observable<Element>) {
        self.source = source
    }

    /// Takes the word of `source`, except that a single without an element fails with ``RxError/noElements``.
    @inlinable
    init(maybeWithoutElement source: Observable<Element>) {
        self.init(raw: Trait.self == SingleTrait.self ? source.asSingle().source : source)
    }

    /// The sequence itself.
    @inlinable public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }

    /// The observable of the sequence's element, if it has one, and of its end.
    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// What ``PrimitiveSequence`` is, so that extensions can name the trait they are for.
public protocol PrimitiveSequenceType<Trait, Element> {
    /// Says how many elements there may be.
    associatedtype Trait
    /// The type of the element.
    associatedtype Element

    /// The sequence itself.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The observable inside.
    @inlinable var source: Observable<Element> { primitiveSequence.source }
}
