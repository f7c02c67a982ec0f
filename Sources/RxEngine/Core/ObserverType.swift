/// Whoever takes a sequence's events.
public protocol ObserverType<Element> {
    /// The type of the elements.
    associatedtype Element

    /// Takes an event. Calls follow one another; two never overlap.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Takes an element.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Takes the error that ends the sequence.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }

    /// Takes the end of the sequence.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// This observer with its type erased.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// An observer of another type of element, which `transform` turns into this one's; an error thrown by it is
    /// delivered in the element's place.
    @preconcurrency
    @inlinable
    public func mapObserver<Result>(
        _ transform: @escaping @Sendable (Result) throws -> Element
    ) -> AnyObserver<Result> {
        AnyObserver { self.on($0.map(transform)) }
    }
}
