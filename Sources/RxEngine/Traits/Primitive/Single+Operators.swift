extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Runs closures beside the outcome, in the order of their names; an error that one throws takes its place.
    @preconcurrency
    @inlinable
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Single<Element> {
        Single(
            raw: source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// The element, if it satisfies `predicate`. An error thrown by that is the result's.
    ///
    ///     source              ---1|
    ///     filter { $0 > 2 }   ---|
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: source.filter(predicate))
    }

    /// The element put through `transform`. An error thrown by that is the result's.
    ///
    ///     source              ---1|
    ///     map { $0 * 10 }     ---10|
    @preconcurrency
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Single<Result> {
        Single<Result>(raw: source.map(transform))
    }

    /// The element put through `transform`, unless that makes `nil` of it. An error thrown by it is the result's.
    ///
    ///     source                    ---a|
    ///     compactMap { Int($0) }    ---|
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe<Result>(raw: source.compactMap(transform))
    }

    /// The single that `selector` makes of the element. An error thrown by that is the result's.
    ///
    ///     source                         ---1|
    ///     flatMap { just($0) after 2 }   -----1|
    @preconcurrency
    @inlinable
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) throws -> Single<Result>
    ) -> Single<Result> {
        Single<Result>(raw: TraitMapping(source) { try selector($0).source })
    }

    /// The maybe that `selector` makes of the element. An error thrown by that is the result's.
    @preconcurrency
    @inlinable
    public func flatMapMaybe<Result>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(raw: TraitMapping(source) { try selector($0).source })
    }

    /// The completable that `selector` makes of the element. An error thrown by that is the result's.
    @preconcurrency
    @inlinable
    public func flatMapCompletable(
        _ selector: @escaping @Sendable (Element) throws -> Completable
    ) -> Completable {
        Completable(raw: TraitMapping(source) { try selector($0).source })
    }

    /// The element, or `element` in an error's place.
    ///
    ///     source               ---X
    ///     catchAndReturn(y)    ---y|
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: source.catchAndReturn(element))
    }

    /// The same sequence, as one that might have been empty.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: source)
    }

    /// The end alone.
    ///
    ///     source             ---x|
    ///     asCompletable()    ---|
    @inlinable
    public func asCompletable() -> Completable {
        source.ignoreElements().asCompletable()
    }
}
