// Unchecked: it has nothing of its own that changes.
/// A subject that remembers: subscribers get the last elements first, and then what comes after them.
///
///     ReplaySubject.create(bufferSize: 2)
///     on          --1--2--3-------4--|
///     first       --1--2--3-------4--|
///     second                .23---4--|
///     third                           .34|
///
/// The end is remembered too: whoever subscribes after it gets the last elements and the end; after ``dispose()``, an
/// error. What is remembered and what comes live fit together: a subscriber misses nothing and gets nothing twice,
/// whichever thread it subscribes on. Events may come from any thread, but never two at once; an element that is told
/// from inside a subscriber's call is delivered at once.
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    /// The observer that the subject is.
    public typealias SubjectObserverType = ReplaySubject<Element>

    private let audience: ReplayAudience<Element>

    private init(capacity: Int) {
        audience = ReplayAudience(capacity: capacity)
        super.init(.replaySubject)
    }

    deinit {
        audience.dispose()
    }

    /// A subject that remembers the last `bufferSize` elements. With none it remembers the end alone; a negative number
    /// traps.
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        precondition(bufferSize >= 0, "a replay subject remembers a number of elements, not \(bufferSize)")
        return ReplaySubject(capacity: bufferSize)
    }

    /// A subject that remembers every element.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(capacity: .max)
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

    /// Remembers `element` and tells every subscriber.
    public func onNext(_ element: Element) {
        audience.remember(element)
    }

    /// Adds a subscriber, which is told at once what is remembered.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admitAndRecall(sink, to: self))
    }

    /// The subject itself.
    public func asObserver() -> ReplaySubject<Element> {
        self
    }

    /// Lets go of what is remembered and of every subscriber without a word.
    public func dispose() {
        audience.dispose()
    }
}
