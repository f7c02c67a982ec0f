extension SharedSequenceConvertibleType {
    /// Puts each element through `selector`.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    @preconcurrency
    public func map<Result>(
        _ selector: @escaping @Sendable (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(selector))
    }

    /// Puts each element through `selector` and drops those that it has no result for.
    ///
    ///     source                  --1--x--3--|
    ///     compactMap(Int.init)    --1-----3--|
    @preconcurrency
    public func compactMap<Result>(
        _ selector: @escaping @Sendable (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(selector))
    }

    /// Lets the elements through for which `predicate` holds.
    ///
    ///     source                  --1--2--3--|
    ///     filter { $0 != 2 }      --1-----3--|
    @preconcurrency
    public func filter(
        _ predicate: @escaping @Sendable (Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// Adds each element to what came before it, and tells every sum.
    ///
    ///     source                  --1--2--3--|
    ///     scan(0, +)              --1--3--6--|
    @preconcurrency
    public func scan<Sum>(
        _ seed: Sum, accumulator: @escaping @Sendable (Sum, Element) -> Sum
    ) -> SharedSequence<SharingStrategy, Sum> {
        SharedSequence(asObservable().scan(seed, accumulator: accumulator))
    }

    /// The elements of all the sequences that `selector` makes, which may be of another strategy, as they come.
    @preconcurrency
    public func flatMap<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMap { selector($0).asObservable() })
    }

    /// The elements of the latest of the sequences that `selector` makes, which may be of another strategy.
    ///
    ///     source          --a-------b------>
    ///     selector(a)       -1--2--3--4-->
    ///     selector(b)               -5--6-->
    ///     result          ---1--2----5--6-->
    @preconcurrency
    public func flatMapLatest<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMapLatest { selector($0).asObservable() })
    }

    /// The elements of one of the sequences that `selector` makes at a time, which may be of another strategy; what
    /// comes while one goes on is dropped.
    @preconcurrency
    public func flatMapFirst<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMapFirst { selector($0).asObservable() })
    }
}
