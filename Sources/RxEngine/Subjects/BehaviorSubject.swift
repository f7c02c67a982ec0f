// Unchecked: immutable; the subscriber list guards its own state.
/// A subject that has a current value, which each subscriber receives first.
///
///     BehaviorSubject(value: 0)
///     on          --1--2-----3--|
///     first       0-1--2-----3--|
///     second            .2---3--|
///
/// A subscriber that subscribes after the end receives the terminal event alone; after ``dispose()``, an error. A
/// subscriber misses no element and receives none twice, whichever thread it subscribes on.
///
/// Events may come from any thread, but not from two at once. Subscribers are called on the thread that emits;
/// a new one receives the value, and the elements that arrive meanwhile, on the thread that subscribes. An element that
/// is emitted inside a subscriber's call is delivered at once.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The type of the subject as an observer.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    private let subscribers: ReplaySubscriberList<Element>

    /// Creates a subject whose current value is `value`.
    public init(value: Element) {
        subscribers = ReplaySubscriberList(value: value)
        super.init(.behaviorSubject)
    }

    deinit {
        subscribers.dispose()
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// Whether the subject has a subscriber.
    public var hasObservers: Bool { subscribers.hasSubscribers }

    /// Whether the subject was disposed.
    public var isDisposed: Bool { subscribers.isDisposed }

    /// Returns the current value, which is also available after the sequence has completed.
    ///
    /// Any thread may call it.
    ///
    /// - Returns: the last element, or the initial value.
    /// - Throws: the error that ended the sequence, or ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        try subscribers.value(of: self)
    }

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

    /// Makes `element` the current value and emits it to every subscriber.
    ///
    /// Subscribers are called on this thread; one that is still receiving the previous value receives `element` on the
    /// thread on which it subscribes. Does nothing after a terminal event.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func onNext(_ element: Element) {
        subscribers.storeAndDeliver(element)
    }

    /// Adds a subscriber, which receives the current value at once, or the terminal event if the subject has ended.
    ///
    /// It receives these on this thread, and later events on the thread that emits them.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.addReplaying(sink, to: self))
    }

    /// Returns the subject itself.
    public func asObserver() -> BehaviorSubject<Element> {
        self
    }

    /// Releases the value and removes every subscriber without a terminal event.
    ///
    /// Later subscribers receive ``RxError/disposed(object:)``.
    /// Later events do nothing.
    public func dispose() {
        subscribers.dispose()
    }
}
