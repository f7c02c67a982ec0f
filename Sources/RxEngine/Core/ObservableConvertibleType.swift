/// A type that can be converted to an ``Observable``: observables themselves, subjects, relays and traits.
public protocol ObservableConvertibleType<Element> {
    /// The type of the elements.
    associatedtype Element

    /// Returns the sequence as an ``Observable``.
    func asObservable() -> Observable<Element>
}
