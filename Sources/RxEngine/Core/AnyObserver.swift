// Unchecked: the calls of an observer never overlap, whichever threads they come from.
/// A type-erased observer.
///
/// Events may come from any thread, but two calls must never overlap.
public struct AnyObserver<Element>: ObserverType, @unchecked Sendable {
    @usableFromInline let receiver: EventReceiver<Element>

    /// Creates an observer that passes every event to `eventHandler`, on the thread that calls the observer.
    @inlinable
    public init(eventHandler: @escaping (Event<Element>) -> Void) {
        receiver = EventHandler(eventHandler) { handler, element in handler(.next(element)) }
    }

    /// Creates an observer that passes every event to `observer`.
    ///
    /// `observer` is called on the thread that calls this one.
    @inlinable
    public init(_ observer: some ObserverType<Element>) {
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

    /// Receives an event.
    @inlinable
    public func on(_ event: Event<Element>) {
        receiver.on(event)
    }

    /// Receives an element.
    @inlinable
    public func onNext(_ element: Element) {
        receiver.next(element)
    }

    /// Receives the error that ends the sequence.
    @inlinable
    public func onError(_ error: any Error) {
        receiver.error(error)
    }

    /// Receives the completion of the sequence.
    @inlinable
    public func onCompleted() {
        receiver.completed()
    }

    /// Returns the observer itself.
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

/// A receiver that passes every event to a closure.
@usableFromInline
final class EventHandler<Element>: EventReceiver<Element> {
    @usableFromInline typealias Handler = (Event<Element>) -> Void

    private let handler: Handler
    private let deliverNext: (Handler, Element) -> Void

    /// - Parameters:
    ///   - handler: receives the events.
    ///   - deliverNext: passes an element to the handler as an event. It is compiled where the element type is known;
    ///     here, the runtime would have to look up the size of an event. It captures nothing, so it costs no object.
    @usableFromInline
    init(_ handler: @escaping Handler, deliverNext: @escaping (Handler, Element) -> Void) {
        self.handler = handler
        self.deliverNext = deliverNext
        super.init()
    }

    @usableFromInline
    override func next(_ element: Element) {
        deliverNext(handler, element)
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
