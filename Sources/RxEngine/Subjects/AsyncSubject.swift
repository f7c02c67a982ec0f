// Unchecked: it has nothing of its own that changes.
/// A subject for a result: subscribers get the last element when the sequence completes, and nothing before.
///
///     on          --1--2-----3--|
///     first       --------------3|
///     second                        .3|
///
/// An error discards the element. Whoever subscribes after the end gets the element, if there is one, and the end.
/// Events may come from any thread, but never two at once.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, ObserverType, @unchecked Sendable {
    /// The observer that the subject is.
    public typealias SubjectObserverType = AsyncSubject<Element>

    private let audience = ReplayAudience<Element>()

    /// A subject without subscribers.
    public init() {
        super.init(.asyncSubject)
    }

    deinit {
        audience.dispose()
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Whether anyone is subscribed.
    public var hasObservers: Bool { audience.isPresent }

    /// Remembers an element, or ends the sequence; does nothing after a terminal event.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): onError(error)
        case .completed: onCompleted()
        }
    }

    /// Fails for every subscriber, and drops the element.
    public func onError(_ error: any Error) {
        audience.stopWithResult(.error(error))
    }

    /// Emits the last element, if there is one, and completion to every subscriber.
    public func onCompleted() {
        audience.stopWithResult(.completed)
    }

    /// Remembers `element` in the last one's place.
    public func onNext(_ element: Element) {
        audience.remember(element)
    }

    /// Adds a subscriber; after the end it is told the last element and the end at once.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admitAndRecall(sink, to: self))
    }

    /// The subject itself.
    public func asObserver() -> AsyncSubject<Element> {
        self
    }
}
