// Unchecked: an observer's calls follow one another, whichever threads they come from.
/// An observer of any kind.
public struct AnyObserver<Element>: ObserverType, @unchecked Sendable {
    private let receiver: EventReceiver<Element>

    /// An observer that hands every event to `eventHandler`.
    public init(eventHandler: @escaping (Event<Element>) -> Void) {
        receiver = EventHandler(eventHandler)
    }

    /// `observer` with its type erased.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        if let erased = observer as? AnyObserver<Element> {
            self = erased
        } else {
            receiver = EventHandler(observer.on)
        }
    }

    init(receiver: EventReceiver<Element>) {
        self.receiver = receiver
    }

    /// Takes an event.
    public func on(_ event: Event<Element>) {
        receiver.on(event)
    }

    /// Takes an element.
    public func onNext(_ element: Element) {
        receiver.next(element)
    }

    /// The observer itself.
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

/// A closure that takes events, as a receiver.
private final class EventHandler<Element>: EventReceiver<Element> {
    private let handler: (Event<Element>) -> Void

    init(_ handler: @escaping (Event<Element>) -> Void) {
        self.handler = handler
        super.init()
    }

    override func next(_ element: Element) {
        handler(.next(element))
    }

    override func error(_ error: any Error) {
        handler(.error(error))
    }

    override func completed() {
        handler(.completed)
    }
}
