/// A type that receives the events of a sequence.
public protocol ObserverType<Element> {
    /// The type of the elements.
    associatedtype Element

    /// Receives an event.
    ///
    /// Two calls never overlap, and no call follows an error or completion.
    ///
    /// - Parameter event: an element, an error or completion.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Receives an element.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Receives the error that ends the sequence.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }

    /// Receives the completion of the sequence.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// Returns the observer with its type erased.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// Returns an observer of another element type that transforms each element and passes it to this observer.
    ///
    /// If `transform` throws, this observer receives the error in the element's place.
    /// Completion and errors pass unchanged. `transform` and this observer are called on the thread that calls the
    /// result.
    ///
    /// - Parameter transform: makes an element of this observer.
    /// - Returns: the observer of the other element type.
    @preconcurrency
    @inlinable
    public func mapObserver<Result>(
        _ transform: @escaping @Sendable (Result) throws -> Element
    ) -> AnyObserver<Result> {
        AnyObserver { self.on($0.map(transform)) }
    }
}
