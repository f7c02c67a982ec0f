// Unchecked: immutable; the subscriber list guards its own state.
/// A subject that emits to each subscriber the events after its subscription.
///
///     on          --1--2-----3--|
///     first       --1--2-----3--|
///     second            .----3--|
///
/// A subscriber that subscribes after the end receives the terminal event; after ``dispose()``, an error.
///
/// Events may come from any thread, but not from two at once. Subscribers are called on the thread that emits,
/// in subscription order. An element that is emitted inside a subscriber's call is delivered at once, so the
/// subscribers after that one receive it before the outer element.
///
/// - Complexity: Emitting takes time in proportion to the number of subscribers. Subscribing and unsubscribing take
///   amortized constant time.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The type of the subject as an observer.
    public typealias SubjectObserverType = PublishSubject<Element>

    private let subscribers = SubscriberList()

    /// Creates a subject without subscribers.
    public init() {
        super.init(.publishSubject)
    }

    deinit {
        Unmanaged.passUnretained(subscribers)._withUnsafeGuaranteedRef { $0.disposeInDeinit() }
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// Whether the subject has a subscriber.
    public var hasObservers: Bool { subscribers.hasSubscribers }

    /// Whether the subject was disposed.
    public var isDisposed: Bool { subscribers.isDisposed }

    /// Emits an event to every subscriber; does nothing after a terminal event.
    ///
    /// Subscribers are called on this thread.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): onError(error)
        case .completed: onCompleted()
        }
    }

    /// Emits an error to every subscriber, which ends the sequence.
    ///
    /// Subscribers are called on this thread, and later ones receive the error when they subscribe. Does nothing after
    /// a terminal event.
    public func onError(_ error: any Error) {
        subscribers.terminate(with: .error(error), Element.self)
    }

    /// Emits completion to every subscriber, which ends the sequence.
    ///
    /// Subscribers are called on this thread, and later ones receive the completion when they subscribe. Does nothing
    /// after a terminal event.
    public func onCompleted() {
        subscribers.terminate(with: .completed, Element.self)
    }

    /// Emits an element to every subscriber.
    ///
    /// Subscribers are called on this thread. Does nothing after a terminal event.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func onNext(_ element: Element) {
        subscribers.next(element)
    }

    /// Adds a subscriber, which receives the terminal event at once if the subject has ended.
    ///
    /// It receives that on this thread, and events that follow on the thread that emits them.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.add(sink, to: self))
    }

    /// Returns the subject itself.
    public func asObserver() -> PublishSubject<Element> {
        self
    }

    /// Removes every subscriber without a terminal event.
    ///
    /// Later subscribers receive ``RxError/disposed(object:)``.
    /// Later events do nothing.
    public func dispose() {
        subscribers.dispose()
    }
}
