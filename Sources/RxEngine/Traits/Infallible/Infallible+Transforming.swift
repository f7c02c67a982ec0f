extension InfallibleType {
    /// Puts each element through `transform`.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    @preconcurrency
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> Infallible<Result> {
        Infallible<Result>(asObservable().map(transform))
    }

    /// Puts each element through `transform` and drops those that become `nil`.
    @preconcurrency
    @inlinable
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) -> Result?) -> Infallible<Result> {
        Infallible<Result>(asObservable().compactMap(transform))
    }

    /// The elements of all the sequences that `selector` makes, as they come. Of one that fails the error goes to
    /// ``Hooks/defaultErrorHandler``, and the others go on.
    @preconcurrency
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMap(Guarded(selector).make))
    }

    /// The elements of the latest of the sequences that `selector` makes. Of one that fails the error goes to
    /// ``Hooks/defaultErrorHandler``, and the next one is waited for.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMapLatest(Guarded(selector).make))
    }

    /// The elements of the sequences that `selector` makes of elements that come while none of them is running. Of one
    /// that fails the error goes to ``Hooks/defaultErrorHandler``, and the next element gets its turn.
    @preconcurrency
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMapFirst(Guarded(selector).make))
    }

    /// The elements of the sequences that `selector` makes, one after the other. Of one that fails the error goes to
    /// ``Hooks/defaultErrorHandler``, and the next one follows.
    @preconcurrency
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().concatMap(Guarded(selector).make))
    }

    /// What has been accumulated at each element.
    ///
    ///     source                                  --1--2--3--|
    ///     scan(0, accumulator: { $0 + $1 })       --1--3--6--|
    @preconcurrency
    @inlinable
    public func scan<Seed>(
        _ seed: Seed, accumulator: @escaping @Sendable (Seed, Element) -> Seed
    ) -> Infallible<Seed> {
        Infallible<Seed>(asObservable().scan(seed, accumulator: accumulator))
    }

    /// What has been accumulated, in place, at each element.
    @preconcurrency
    @inlinable
    public func scan<Seed>(
        into seed: Seed, accumulator: @escaping @Sendable (inout Seed, Element) -> Void
    ) -> Infallible<Seed> {
        Infallible<Seed>(asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Each element with `object`, which is not kept alive: once it is gone, the next element ends the sequence.
    @inlinable
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Infallible<(Object, Element)> {
        Infallible<(Object, Element)>(asObservable().withUnretained(object))
    }

    /// What `resultSelector` makes of each element and `object`, which is not kept alive: once it is gone, the next
    /// element ends the sequence.
    @preconcurrency
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Infallible<Result> {
        Infallible<Result>(asObservable().withUnretained(object, resultSelector: { resultSelector($0, $1) }))
    }
}
