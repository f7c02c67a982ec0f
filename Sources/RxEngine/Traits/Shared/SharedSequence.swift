/// A sequence that cannot fail, is delivered on its strategy's scheduler and shares one run among its subscribers.
///
/// ``Driver`` and ``Signal`` are the two that are of use. The operators keep all three promises: what one returns is
/// shared again, so that its closure runs once for each element, however many subscribe.
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element>: SharedSequenceConvertibleType, Sendable
{
    private let source: Observable<Element>

    /// `source`, which keeps the promises but for the sharing.
    init(_ source: Observable<Element>) {
        self.source = SharingStrategy.share(source)
    }

    /// `source`, which keeps the promises and need not be shared.
    init(raw source: Observable<Element>) {
        self.source = source
    }

    /// The observable behind the sequence.
    public func asObservable() -> Observable<Element> {
        source
    }

    /// The sequence itself.
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> {
        self
    }
}

/// Anything that can be read as a ``SharedSequence``.
public protocol SharedSequenceConvertibleType<Element>: ObservableConvertibleType {
    /// How the sequence is shared, and where it is delivered.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// The shared sequence that this value stands for.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// The observable behind the sequence.
    public func asObservable() -> Observable<Element> {
        asSharedSequence().asObservable()
    }

    /// The sequence as one that cannot fail, without the other promises.
    public func asInfallible() -> Infallible<Element> {
        asObservable().asInfallible(onErrorFallbackTo: .empty())
    }
}

extension SharedSequence {
    /// A shared sequence of a source that cannot fail and is delivered on the strategy's scheduler. The compiler does
    /// not check either: it is for operators of one's own.
    public static func createUnsafe<Source: ObservableType>(source: Source) -> SharedSequence
    where Source.Element == Element {
        SharedSequence(source.asObservable())
    }
}
