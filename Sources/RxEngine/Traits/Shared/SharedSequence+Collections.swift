// The sequences cannot fail, so an error that a closure throws goes to ``Hooks/defaultErrorHandler`` and completes the
// sequence, as with an ``Infallible``.
extension SharedSequenceConvertibleType {
    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An empty collection emits one result, of no
    /// elements, and completes. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and
    /// completes the sequence.
    /// The observer is called on the strategy's scheduler.
    @preconcurrency
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element: SharedSequenceConvertibleType, Sources.Element.SharingStrategy == SharingStrategy {
        let source = Observable.combineLatest(
            collection.map { $0.asObservable() }, resultSelector: resultSelector
        )
        return SharedSequence(
            collection.isEmpty ? source.subscribedOn(SharingStrategy.self).guarded() : source.guarded())
    }

    /// Emits the latest elements of all sequences as an array at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An empty collection emits an empty array and
    /// completes.
    /// The observer is called on the strategy's scheduler.
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element: SharedSequenceConvertibleType<SharingStrategy, Element> {
        .combineLatest(collection) { $0 }
    }

    /// Emits the result of `resultSelector` for the elements with the same index of all sequences.
    ///
    /// It completes when all have completed. It also completes at an element that can have no partner, because all
    /// other sequences have completed and one of them has no queued element. Elements without partners are dropped. An
    /// error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the sequence.
    /// The observer is called on the strategy's scheduler.
    ///
    /// - Complexity: keeps each element until every other sequence has emitted its partner.
    @preconcurrency
    public static func zip<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element: SharedSequenceConvertibleType, Sources.Element.SharingStrategy == SharingStrategy {
        if collection.isEmpty { return .empty() }
        return SharedSequence(
            Observable.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector).guarded()
        )
    }

    /// Emits the first elements of all sequences as an array, then the second ones, and so on.
    ///
    /// It completes when all have completed. It also completes at an element that can have no partner, because all
    /// other sequences have completed and one of them has no queued element. Elements without partners are dropped.
    /// The observer is called on the strategy's scheduler.
    ///
    /// - Complexity: keeps each element until every other sequence has emitted its partner.
    public static func zip<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element: SharedSequenceConvertibleType<SharingStrategy, Element> {
        .zip(collection) { $0 }
    }
}
