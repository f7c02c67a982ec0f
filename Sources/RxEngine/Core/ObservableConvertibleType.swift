/// Anything that can be read as an ``Observable``: observables themselves, subjects, relays and traits.
public protocol ObservableConvertibleType<Element> {
    /// The type of the elements.
    associatedtype Element

    /// The observable that this value stands for.
    func asObservable() -> Observable<Element>
}
