/// A sequence whose type says how many elements it emits: a ``Single``, a ``Maybe`` or a ``Completable``.
///
/// It wraps one observable and shares nothing: each subscription starts a run of its own, on no particular scheduler.
/// An operator that keeps the trait's promise returns the same trait; one that may not, such as `filter` of a single,
/// returns another.
///
/// | trait | elements | ends with |
/// |---|---|---|
/// | ``Single`` | one, or an error | the element |
/// | ``Maybe`` | one or none, or an error | the element, or without one |
/// | ``Completable`` | none, or an error | its completion |
public struct PrimitiveSequence<Trait, Element>: PrimitiveSequenceType, ObservableConvertibleType, Sendable {
    /// Emits at most one element, and its completion right after it.
    @usableFromInline let source: Observable<Element>

    /// Trusts `source` to keep the promise of the trait.
    @inlinable
    init(raw source: Observable<Element>) {
        self.source = source
    }

    /// Trusts `source` to keep the promise of the trait, except that a single without an element fails with
    /// ``RxError/noElements``.
    @inlinable
    init(maybeWithoutElement source: Observable<Element>) {
        self.init(raw: Trait.self == SingleTrait.self ? source.asSingle().source : source)
    }

    /// The sequence itself.
    @inlinable public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }

    /// Converts the sequence to an observable of its element, if it has one, and its end.
    ///
    /// It fails with the sequence, and delivers on the same threads.
    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// The protocol of ``PrimitiveSequence``, so that extensions can name the trait that they extend.
public protocol PrimitiveSequenceType<Trait, Element> {
    /// The trait, which says how many elements there are.
    associatedtype Trait
    /// The type of the element.
    associatedtype Element

    /// The sequence itself.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The observable that the sequence wraps.
    @inlinable var source: Observable<Element> { primitiveSequence.source }
}
