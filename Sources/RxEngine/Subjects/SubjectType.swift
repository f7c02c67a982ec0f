/// An observable that is also an observer: what it takes, it tells its subscribers.
public protocol SubjectType<Element>: ObservableType {
    /// The observer that the subject is.
    associatedtype Observer: ObserverType

    /// The observer that the subject is.
    func asObserver() -> Observer
}
