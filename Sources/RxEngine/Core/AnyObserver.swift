// Unchecked: an observer's calls follow one another, whichever threads they come from.
/// An observer of any kind.
public struct AnyObserver<Element>: ObserverType, @unchecked Sendable {
    @usableFromInline let receiver: EventReceiver<Element>

    /// An observer that passes every event to `eventHandler`.
    @inlinable
    public init(eventHandler: @escaping (Event<Element>) -> Void) {
        receiver = EventHandler(eventHandler) { handler, element in handler(.next(element)) }
    }

    /// `observer` with its type erased.
    @inlinable
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        if let erased = observer as? AnyObserver<Element> {
            self = erased
        } else {
            self.init { observer.on($0) }
        }
    }

    @usableFromInline
    init(receiver: EventReceiver<Element>) {
        self.receiver = receiver
    }

    /// Takes an event.
    @inlinable
    public func on(_ event: Event<Element>) {
        receiver.on(event)
    }

    /// Takes an element.
    @inlinable
    public func onNext(_ element: Element) {
        receiver.next(element)
    }

    /// Takes the error that ends the sequence.
    @inlinable
    public func onError(_ error: any Error) {
        receiver.error(error)
    }

    /// Takes the completion of the sequence.
    @inlinable
    public func onCompleted() {
        receiver.completed()
    }

    /// The observer itself.
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

/// A receiver that passes every event to a closure.
@usableFromInline
final class EventHandler<Element>: EventReceiver<Element> {
    @usableFromInline typealias Handler = (Event<Element>) -> Void

    private let handler: Handler
    private let handNext: (Handler, Element) -> Void

    /// - Parameters:
    ///   - handler: takes the events.
    ///   - handNext: passes an element to the handler as an event. It is compiled where the type of the elements is known:
    ///     here, the runtime would have to be asked how large an event is. It captures nothing, so it costs no object.
    @usableFromInline
    init(_ handler: @escaping Handler, handNext: @escaping (Handler, Element) -> Void) {
        self.handler = handler
        self.handNext = handNext
        super.init()
    }

    @usableFromInline
    override func next(_ element: Element) {
        handNext(handler, element)
    }

    @usableFromInline
    override func error(_ error: any Error) {
        handler(.error(error))
    }

    @usableFromInline
    override func completed() {
        handler(.completed)
    }
}
