extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What `resultSelector` makes of the elements of all of these, `[]` of none. The first error ends it.
    ///
    ///     first     ---1|
    ///     second    -----2|
    ///     zip       -----[1, 2]|
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

    /// The elements of all of these, `[]` of none. The first error ends it.
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ collection: Sources) -> Single<[Element]>
    where Sources.Element == Single<Element> {
        guard !collection.isEmpty else { return .just([]) }
        return Single<[Element]>(raw: Observable.zip(collection.map(\.source)))
    }
}
