/// A sequence that cannot fail.
///
/// It wraps one observable and shares nothing: each subscription starts a run of its own, on no particular scheduler.
/// Operators of this type never fail.
///
/// ### Errors of other sequences and of closures
///
/// An operator may take another sequence, such as the one that `flatMap`'s closure returns, or a closure that throws;
/// code that was written for other engines relies on both. Their errors go to ``Hooks/defaultErrorHandler`` and become
/// a completion: that of the other sequence if it failed, that of this sequence if a closure threw.
public struct Infallible<Element>: InfallibleType, Sendable {
    @usableFromInline let source: Observable<Element>

    /// Trusts `source` not to fail.
    @inlinable
    init(_ source: Observable<Element>) {
        self.source = source
    }

    /// Passes an error of `source` to the hook and completes in its place.
    @inlinable
    init(guarding source: Observable<Element>) {
        self.source = source.guarded()
    }

    /// Converts the sequence to an observable.
    ///
    /// It completes with this sequence, never fails, and delivers on the same threads.
    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// The protocol of sequences that cannot fail, as an ``Infallible``.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

/// An event of an ``Infallible``.
@frozen
public enum InfallibleEvent<Element> {
    /// The sequence emitted an element.
    case next(Element)
    /// The sequence completed; nothing follows.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// The event as an event of an observable.
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension ObservableConvertibleType {
    /// Passes an error to the hook and completes in its place.
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

/// A closure that returns sequences, whose errors it passes to the hook.
///
/// It is a type because a sendable closure that captured the type of the sequence would require it to be sendable.
@usableFromInline
struct ErrorReportingClosure<Element, Source: ObservableConvertibleType>: Sendable {
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
