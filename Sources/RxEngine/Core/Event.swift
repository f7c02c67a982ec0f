/// An event of a sequence: an element, an error or completion.
///
/// Every sequence follows one grammar: any number of `next`, then at most one `error` or `completed`, then nothing.
@frozen
public enum Event<Element> {
    /// The sequence emits an element.
    case next(Element)
    /// The sequence fails; no event follows.
    case error(any Swift.Error)
    /// The sequence completes; no event follows.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
    /// Whether this event is an error or completion, after which no event follows.
    public var isStopEvent: Bool {
        switch self {
        case .next: false
        case .error, .completed: true
        }
    }

    /// The element of a `next` event, otherwise `nil`.
    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error of an `error` event, otherwise `nil`.
    public var error: (any Swift.Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether this event is `completed`.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// Returns the event with its element transformed, or with the error that `transform` throws.
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

extension Event: CustomDebugStringConvertible {
    /// A description of the event: `next(element)`, `error(error)` or `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

/// A type that can be converted to an ``Event``.
public protocol EventConvertible<Element> {
    /// The type of the elements.
    associatedtype Element
    /// The value as an event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    /// The event itself.
    public var event: Event<Element> { self }
}
