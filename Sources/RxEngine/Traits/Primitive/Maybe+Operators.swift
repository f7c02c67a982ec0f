extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Runs closures before and after the outcome is delivered, on the thread that delivers it.
    ///
    /// The closures run in the order of their names. An error that one of them throws replaces the outcome.
    /// One that an `after` closure throws does not: the outcome was delivered by then.
    ///
    /// - Parameters:
    ///   - onNext: takes the element before it is delivered.
    ///   - afterNext: takes the element after it was delivered.
    ///   - onError: runs before the error is delivered.
    ///   - afterError: runs after the error was delivered.
    ///   - onCompleted: runs before the completion is delivered, also after an element.
    ///   - afterCompleted: runs after the completion was delivered, also after an element.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run has ended or was disposed.
    @preconcurrency
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            raw: source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted, onSubscribe: onSubscribe,
                onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits the element only if it satisfies `predicate`.
    ///
    ///     source              ---1|
    ///     filter { $0 > 2 }   ---|
    ///
    /// The result completes without an element if there is none that satisfies it. An error that `predicate` throws
    /// fails the result.
    /// An error of the source passes. `predicate` and the observer are called on the source's thread.
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
    /// The result completes without an element if there is none. An error that `transform` throws fails the result.
    /// One of the source passes. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Maybe<Result> {
        Maybe<Result>(raw: source.map(transform))
    }

    /// Emits the result of `transform` for the element unless it is `nil`.
    ///
    /// The result completes without an element if there is none. An error that `transform` throws fails the result.
    /// One of the source passes. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe<Result>(raw: source.compactMap(transform))
    }

    /// Emits the outcome of the maybe that `selector` returns for the element.
    ///
    /// The result completes without calling `selector` if there is no element. An error of either sequence, or one that
    /// `selector` throws, fails the result. A chain of any length, also one that recurses, uses constant stack.
    /// `selector` runs on the thread of this sequence, and the inner one delivers the outcome on its own thread.
    @preconcurrency
    @inlinable
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(raw: TraitFlatMap(source) { try selector($0).source })
    }

    /// Emits the element, or `element` if the sequence completes without one.
    ///
    ///     source                ---|
    ///     ifEmpty(default: y)   ---y|
    ///
    /// An error passes.
    /// The thread that completes the source emits `element`.
    @inlinable
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(raw: source.ifEmpty(default: element))
    }

    /// Emits the element, or subscribes to `other` if the sequence completes without one.
    ///
    /// An error passes; `other` is not subscribed to then.
    /// The thread that completes this sequence subscribes to `other`, which delivers on its own threads.
    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: source.ifEmpty(switchTo: other.source))
    }

    /// Emits the element, or subscribes to `other` if the sequence completes without one.
    ///
    /// An error passes; `other` is not subscribed to then.
    /// The thread that completes this sequence subscribes to `other`, which delivers on its own threads.
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(raw: source.ifEmpty(switchTo: other.source))
    }

    /// Emits `element` in place of an error.
    ///
    ///     source               ---X
    ///     catchAndReturn(y)    ---y|
    ///
    /// Completes without an element if the source does, and never fails. The thread that delivers the error emits
    /// `element`.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(raw: source.catchAndReturn(element))
    }
}
