extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Runs closures before and after the outcome is delivered, on the thread that delivers it.
    ///
    /// The closures run in the order of their names. An error that one of them throws replaces the outcome.
    /// One that an `after` closure throws does not: the outcome was delivered by then.
    ///
    /// - Parameters:
    ///   - onSuccess: takes the element before it is delivered.
    ///   - afterSuccess: takes the element after it was delivered.
    ///   - onError: runs before the error is delivered.
    ///   - afterError: runs after the error was delivered.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run has ended or was disposed.
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

    /// Emits the element only if it satisfies `predicate`.
    ///
    ///     source              ---1|
    ///     filter { $0 > 2 }   ---|
    ///
    /// The result completes without an element otherwise. An error that `predicate` throws fails the result.
    /// One of the source passes. `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: source.filter(predicate))
    }

    /// Emits the result of `transform` for the element.
    ///
    ///     source              ---1|
    ///     map { $0 * 10 }     ---10|
    ///
    /// An error that `transform` throws fails the result.
    /// One of the source passes. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Single<Result> {
        Single<Result>(raw: source.map(transform))
    }

    /// Emits the result of `transform` for the element unless it is `nil`.
    ///
    ///     source                    ---a|
    ///     compactMap { Int($0) }    ---|
    ///
    /// The result completes without an element otherwise. An error that `transform` throws fails the result.
    /// One of the source passes. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe<Result>(raw: source.compactMap(transform))
    }

    /// Emits the element of the single that `selector` returns for the element.
    ///
    ///     source                         ---1|
    ///     flatMap { just($0) after 2 }   -----1|
    ///
    /// An error of either sequence, or one that `selector` throws, fails the result. A chain of any length, also one
    /// that recurses, uses constant stack.
    /// `selector` runs on the thread of this single, and the inner one delivers the outcome on its own thread.
    @preconcurrency
    @inlinable
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) throws -> Single<Result>
    ) -> Single<Result> {
        Single<Result>(raw: TraitFlatMap(source) { try selector($0).source })
    }

    /// Emits the outcome of the maybe that `selector` returns for the element.
    ///
    /// An error of either sequence, or one that `selector` throws, fails the result.
    /// The maybe may complete without an element. `selector` runs on the thread of this single, and the maybe delivers
    /// the outcome on its own thread.
    @preconcurrency
    @inlinable
    public func flatMapMaybe<Result>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(raw: TraitFlatMap(source) { try selector($0).source })
    }

    /// Completes with the completable that `selector` returns for the element.
    ///
    /// An error of either sequence, or one that `selector` throws, fails the result.
    /// `selector` runs on the thread of this single, and the completable delivers the outcome on its own thread.
    @preconcurrency
    @inlinable
    public func flatMapCompletable(
        _ selector: @escaping @Sendable (Element) throws -> Completable
    ) -> Completable {
        Completable(raw: TraitFlatMap(source) { try selector($0).source })
    }

    /// Emits `element` in place of an error.
    ///
    ///     source               ---X
    ///     catchAndReturn(y)    ---y|
    ///
    /// Never fails. The thread that delivers the error emits `element`.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: source.catchAndReturn(element))
    }

    /// Converts the single to a maybe, which always has its element or its error.
    ///
    /// The outcome is delivered on the single's thread.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: source)
    }

    /// Drops the element and completes in its place.
    ///
    ///     source             ---x|
    ///     asCompletable()    ---|
    ///
    /// An error passes.
    /// The outcome is delivered on the single's thread.
    @inlinable
    public func asCompletable() -> Completable {
        source.ignoreElements().asCompletable()
    }
}
