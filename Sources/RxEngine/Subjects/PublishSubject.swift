// Unchecked: it has nothing of its own that changes.
/// A subject without memory: subscribers get what comes after them.
///
///     on          --1--2-----3--|
///     first       --1--2-----3--|
///     second            .----3--|
///
/// Whoever subscribes after the end gets the end alone; after ``dispose()``, an error. Events may come from any thread,
/// but never two at once. An element that is told from inside a subscriber's call is delivered at once: those who are
/// told after that subscriber get it first.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The observer that the subject is.
    public typealias SubjectObserverType = PublishSubject<Element>

    private let audience = Audience()

    /// A subject without subscribers.
    public init() {
        super.init(.publishSubject)
    }

    deinit {
        Unmanaged.passUnretained(audience)._withUnsafeGuaranteedRef { $0.abandon() }
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Whether anyone is subscribed.
    public var hasObservers: Bool { audience.isPresent }

    /// Whether the subject was disposed.
    public var isDisposed: Bool { audience.isDisposed }

    /// Emits an event to every subscriber; nothing after a terminal event.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): onError(error)
        case .completed: onCompleted()
        }
    }

    /// Emits an error to every subscriber, which ends the sequence.
    public func onError(_ error: any Error) {
        audience.stop(with: .error(error), Element.self)
    }

    /// Emits completion to every subscriber, which ends the sequence.
    public func onCompleted() {
        audience.stop(with: .completed, Element.self)
    }

    /// Tells every subscriber.
    public func onNext(_ element: Element) {
        audience.next(element)
    }

    /// Adds a subscriber; after the end it is told the end at once.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admit(sink, to: self))
    }

    /// The subject itself.
    public func asObserver() -> PublishSubject<Element> {
        self
    }

    /// Lets go of every subscriber without a word.
    public func dispose() {
        audience.dispose()
    }
}
