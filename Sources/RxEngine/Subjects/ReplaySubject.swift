// Unchecked: immutable; the subscriber list guards its own state.
/// A subject that replays its last elements to each new subscriber.
///
///     ReplaySubject.create(bufferSize: 2)
///     on          --1--2--3-------4--|
///     first       --1--2--3-------4--|
///     second                .23---4--|
///     third                           .34|
///
/// The terminal event is replayed too: a subscriber that subscribes after the end receives the last elements and that
/// event; after ``dispose()``, an error. A subscriber misses no element and receives none twice, whichever thread it
/// subscribes on.
///
/// Events may come from any thread, but not from two at once. Subscribers are called on the thread that emits;
/// a new one receives the replayed elements, and those that arrive meanwhile, on the thread that subscribes. An element
/// that is emitted inside a subscriber's call is delivered at once.
///
/// - Complexity: Subscribing takes time in proportion to the number of replayed elements.
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The type of the subject as an observer.
    public typealias SubjectObserverType = ReplaySubject<Element>

    private let subscribers: ReplaySubscriberList<Element>

    private init(capacity: Int) {
        subscribers = ReplaySubscriberList(capacity: capacity)
        super.init(.replaySubject)
    }

    deinit {
        subscribers.dispose()
    }

    /// Creates a subject that replays the last `bufferSize` elements.
    ///
    /// - Parameter bufferSize: the number of elements. 0 replays the terminal event alone; a negative number traps.
    /// - Returns: the subject.
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        precondition(bufferSize >= 0, "ReplaySubject: the buffer size must not be negative, but is \(bufferSize)")
        return ReplaySubject(capacity: bufferSize)
    }

    /// Creates a subject that replays every element.
    ///
    /// - Returns: the subject, whose buffer grows without bound.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(capacity: .max)
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
    /// Subscribers are called on this thread, and later ones receive the stored elements and the error. Does nothing
    /// after a terminal event.
    public func onError(_ error: any Error) {
        subscribers.terminate(with: .error(error), Element.self)
    }

    /// Emits completion to every subscriber, which ends the sequence.
    ///
    /// Subscribers are called on this thread, and later ones receive the stored elements and the completion. Does
    /// nothing after a terminal event.
    public func onCompleted() {
        subscribers.terminate(with: .completed, Element.self)
    }

    /// Stores `element` and emits it to every subscriber.
    ///
    /// Subscribers are called on this thread; one that is still receiving stored elements receives `element` on the
    /// thread on which it subscribes. Does nothing after a terminal event.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func onNext(_ element: Element) {
        subscribers.storeAndDeliver(element)
    }

    /// Adds a subscriber, which receives the last elements at once, and the terminal event if the subject has ended.
    ///
    /// It receives these on this thread, and later events on the thread that emits them.
    ///
    /// - Complexity: Linear in the number of stored elements.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.addReplaying(sink, to: self))
    }

    /// Returns the subject itself.
    public func asObserver() -> ReplaySubject<Element> {
        self
    }

    /// Releases the stored elements and removes every subscriber without a terminal event.
    ///
    /// Later subscribers receive ``RxError/disposed(object:)``.
    /// Later events do nothing.
    public func dispose() {
        subscribers.dispose()
    }
}
