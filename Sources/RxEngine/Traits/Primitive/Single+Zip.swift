extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Subscribes to all singles at once and emits the result of `resultSelector` for their elements.
    ///
    ///     first     ---1|
    ///     second    -----2|
    ///     zip       -----[1, 2]|
    ///
    /// It emits when the last of them has; for an empty collection `resultSelector` takes `[]`. The first error, or one
    /// that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of them.
    ///
    /// - Complexity: O(*n*) with *n* singles.
    @preconcurrency
    @inlinable
    public static func zip<Sources: Swift.Collection, Result>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> Single<Result> where Sources.Element == Single<Element> {
        guard !collection.isEmpty else {
            return Single<Result>.deferred { .just(try resultSelector([])) }
        }
        return Single<Result>(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// Subscribes to all singles at once and emits their elements as an array, in the order of the collection.
    ///
    /// It emits when the last of them has; an empty collection emits `[]`. The first error fails the result and
    /// disposes the others.
    /// The outcome is delivered on a thread of one of them.
    ///
    /// - Complexity: O(*n*) with *n* singles.
    @inlinable
    public static func zip(_ collection: some Swift.Collection<Single<Element>>) -> Single<[Element]> {
        guard !collection.isEmpty else { return .just([]) }
        return Single<[Element]>(raw: Observable.zip(collection.map(\.source)))
    }
}
