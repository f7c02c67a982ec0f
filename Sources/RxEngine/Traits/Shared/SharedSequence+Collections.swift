// A closure that throws has no place in a sequence without errors: what it throws goes to ``Hooks/defaultErrorHandler``
// and ends the sequence, as with an ``Infallible``.
extension SharedSequenceConvertibleType {
    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An empty collection emits one result, of no elements, and completes. An error that
    /// `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the sequence.
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
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An empty collection emits an empty array and completes.
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element: SharedSequenceConvertibleType<Element>, Sources.Element.SharingStrategy == SharingStrategy {
        .combineLatest(collection) { $0 }
    }

    /// What `resultSelector` makes of the first elements of all the sequences, then of the second ones, and so on. It
    /// ends when all have.
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

    /// The first elements of all the sequences, then the second ones, and so on. It ends when all have.
    public static func zip<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element: SharedSequenceConvertibleType<Element>, Sources.Element.SharingStrategy == SharingStrategy {
        .zip(collection) { $0 }
    }
}
