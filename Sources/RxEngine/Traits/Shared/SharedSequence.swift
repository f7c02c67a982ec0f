/// A sequence that cannot fail, delivers on its strategy's scheduler and shares one run among its subscribers.
///
/// Use it as a ``Driver`` or a ``Signal``. The operators keep all three promises: each result is shared again, so that
/// its closure runs once for each element, however many subscribe.
///
/// Operators of this type never fail. They complete as the operators of ``ObservableType`` with the same names. Closures
/// and observers are called on the strategy's scheduler; a replayed element is delivered on the thread that subscribes.
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element>: SharedSequenceConvertibleType, Sendable
{
    private let source: Observable<Element>

    /// Shares `source`, which cannot fail and delivers on the strategy's scheduler.
    init(_ source: Observable<Element>) {
        self.source = SharingStrategy.share(source)
    }

    /// Wraps `source`, which cannot fail, delivers on the strategy's scheduler and need not be shared.
    init(raw source: Observable<Element>) {
        self.source = source
    }

    /// Converts the sequence to an observable.
    ///
    /// It never fails, and delivers on the strategy's scheduler.
    public func asObservable() -> Observable<Element> {
        source
    }

    /// Returns the sequence itself.
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> {
        self
    }
}

/// A type that converts to a ``SharedSequence``.
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>: ObservableConvertibleType {
    /// The scheduler of the sequence, and how it is shared.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// Converts this value to a shared sequence.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// Converts this value to an observable.
    ///
    /// It never fails, and delivers on the strategy's scheduler.
    public func asObservable() -> Observable<Element> {
        asSharedSequence().asObservable()
    }

    /// Converts this value to a sequence that cannot fail, without the promises on its thread and on sharing.
    ///
    /// It completes with the sequence.
    public func asInfallible() -> Infallible<Element> {
        asObservable().asInfallible(onErrorFallbackTo: .empty())
    }
}

extension SharedSequence {
    /// Creates a shared sequence of a source that cannot fail and delivers on the strategy's scheduler.
    ///
    /// The compiler checks neither promise. It is meant for custom operators.
    /// It completes with the source, which it shares by the rules of the strategy.
    public static func createUnsafe(source: some ObservableType<Element>) -> SharedSequence {
        SharedSequence(source.asObservable())
    }
}
