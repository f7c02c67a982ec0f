// Unchecked: it has nothing of its own that changes.
/// A subject that has a value: subscribers get it first, and then what comes after them.
///
///     BehaviorSubject(value: 0)
///     on          --1--2-----3--|
///     first       0-1--2-----3--|
///     second            .2---3--|
///
/// Whoever subscribes after the end gets the end alone; after ``dispose()``, an error. What is remembered and what
/// comes live fit together: a subscriber misses nothing and gets nothing twice, whichever thread it subscribes on.
/// Events may come from any thread, but never two at once; an element that is told from inside a subscriber's call is
/// delivered at once.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The observer that the subject is.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    private let audience: ReplayAudience<Element>

    /// A subject whose value is `value`.
    public init(value: Element) {
        audience = ReplayAudience(value: value)
        super.init(.behaviorSubject)
    }

    deinit {
        audience.dispose()
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Whether anyone is subscribed.
    public var hasObservers: Bool { audience.isPresent }

    /// Whether the subject was disposed.
    public var isDisposed: Bool { audience.isDisposed }

    /// The last element, which stays readable after the sequence has completed.
    ///
    /// - Throws: the error that ended the sequence, or ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        try audience.value(of: self)
    }

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

    /// Makes `element` the value and tells every subscriber.
    public func onNext(_ element: Element) {
        audience.remember(element)
    }

    /// Adds a subscriber, which is told the value at once; after the end it is told the end.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admitAndRecall(sink, to: self))
    }

    /// The subject itself.
    public func asObserver() -> BehaviorSubject<Element> {
        self
    }

    /// Lets go of the value and of every subscriber without a word.
    public func dispose() {
        audience.dispose()
    }
}
