// Unchecked: immutable; the subscriber list guards its own state.
/// A subject that emits only its last element, when it completes.
///
///     on          --1--2-----3--|
///     first       --------------3|
///     second                        .3|
///
/// An error discards the element. A subscriber that subscribes after completion receives the element, if there is one,
/// and completion; one that subscribes after an error receives the error. Events may come from any thread, but not
/// from two at once. Subscribers are called on the thread that completes the subject, and late ones on the
/// thread that subscribes.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, ObserverType, @unchecked Sendable {
    /// The type of the subject as an observer.
    public typealias SubjectObserverType = AsyncSubject<Element>

    private let subscribers = ReplaySubscriberList<Element>()

    /// Creates a subject without subscribers.
    public init() {
        super.init(.asyncSubject)
    }

    deinit {
        subscribers.dispose()
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// Whether the subject has a subscriber.
    public var hasObservers: Bool { subscribers.hasSubscribers }

    /// Stores an element, or ends the sequence; does nothing after a terminal event.
    ///
    /// Subscribers are called on this thread.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): onError(error)
        case .completed: onCompleted()
        }
    }

    /// Drops the element and emits the error to every subscriber, which ends the sequence.
    ///
    /// Subscribers are called on this thread. Does nothing after a terminal event.
    public func onError(_ error: any Error) {
        subscribers.terminateWithResult(.error(error))
    }

    /// Emits the last element, if there is one, and completion to every subscriber, which ends the sequence.
    ///
    /// Subscribers are called on this thread. Does nothing after a terminal event.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func onCompleted() {
        subscribers.terminateWithResult(.completed)
    }

    /// Stores `element` in place of the last one. Subscribers receive nothing yet.
    ///
    /// Does nothing after a terminal event.
    public func onNext(_ element: Element) {
        subscribers.storeAndDeliver(element)
    }

    /// Adds a subscriber, which receives the last element and the terminal event at once if the subject has ended.
    ///
    /// It receives them on this thread, and otherwise on the thread that ends the subject.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.addReplaying(sink, to: self))
    }

    /// Returns the subject itself.
    public func asObserver() -> AsyncSubject<Element> {
        self
    }
}
