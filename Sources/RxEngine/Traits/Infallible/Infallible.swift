/// A sequence without errors.
///
/// It wraps one observable and shares nothing: each subscription starts a run of its own, on no scheduler in
/// particular.
///
/// ### What becomes of an error
///
/// Two things could still fail: another sequence that an operator takes in, such as what `flatMap` makes of an element,
/// and a closure that may throw. Both are allowed, so that what was written against other engines compiles, and neither
/// breaks the promise: the error goes to ``Hooks/defaultErrorHandler``, and where it came from ends as if it had
/// completed. That is the other sequence alone, if it was that which failed, and this one, if it was a closure.
public struct Infallible<Element>: InfallibleType, Sendable {
    @usableFromInline let source: Observable<Element>

    /// Takes the word of `source` that it does not fail.
    @inlinable
    init(_ source: Observable<Element>) {
        self.source = source
    }

    /// An error of `source` goes to the hook, and its completion takes its place.
    @inlinable
    init(guarding source: Observable<Element>) {
        self.source = source.guarded()
    }

    /// The same sequence, as one that might fail.
    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// A sequence that makes the promise of ``Infallible``.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

/// What an ``Infallible`` tells its observers.
@frozen
public enum InfallibleEvent<Element> {
    /// The sequence produced an element.
    case next(Element)
    /// The sequence ended; nothing follows.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// The same event, as one of a sequence that might fail.
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension ObservableConvertibleType {
    /// The same sequence, but an error goes to the hook and is then its end.
    @usableFromInline
    func guarded() -> Observable<Element> {
        asObservable().lift(.catchError) { ErrorGuard(.catchError, to: $0) }
    }
}

private final class ErrorGuard<Element>: OperatorSink<Element, Element> {
    private let report = Hooks.reporter()

    override func next(_ element: Element) {
        downstream.next(element)
    }

    override func error(_ error: any Error) {
        guard live.isActive else { return }
        report(error)
        if live.isActive { downstream.completed() }
    }
}

/// A closure that makes sequences, with the errors of those kept away. A type of its own, since a sendable closure
/// must not know the type of sequence, which it would have to send.
@usableFromInline
struct Guarded<Element, Source: ObservableConvertibleType>: Sendable {
    @usableFromInline let selector: @Sendable (Element) -> Source

    @inlinable
    init(_ selector: @escaping @Sendable (Element) -> Source) {
        self.selector = selector
    }

    @inlinable
    func make(for element: Element) -> Observable<Source.Element> {
        selector(element).guarded()
    }
}
