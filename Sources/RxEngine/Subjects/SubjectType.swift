/// An observable that is also an observer: it passes the events that it receives on to its subscribers.
public protocol SubjectType<Element>: ObservableType {
    /// The type of the subject as an observer.
    associatedtype Observer: ObserverType

    /// Returns the subject as an observer.
    func asObserver() -> Observer
}
