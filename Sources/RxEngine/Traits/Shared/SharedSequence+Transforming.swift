extension SharedSequenceConvertibleType {
    /// Emits the result of `selector` for each element.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    ///
    /// Completes with the source. `selector` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func map<Result>(
        _ selector: @escaping @Sendable (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(selector))
    }

    /// Emits the result of `selector` for each element and drops `nil`.
    ///
    ///     source                  --1--x--3--|
    ///     compactMap(Int.init)    --1-----3--|
    ///
    /// Completes with the source. `selector` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func compactMap<Result>(
        _ selector: @escaping @Sendable (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(selector))
    }

    /// Emits only the elements that satisfy `predicate`.
    ///
    ///     source                  --1--2--3--|
    ///     filter { $0 != 2 }      --1-----3--|
    ///
    /// Completes with the source. `predicate` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func filter(
        _ predicate: @escaping @Sendable (Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// Accumulates the elements and emits each intermediate result.
    ///
    ///     source                  --1--2--3--|
    ///     scan(0, +)              --1--3--6--|
    ///
    /// Completes with the source. `accumulator` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func scan<Sum>(
        _ seed: Sum, accumulator: @escaping @Sendable (Sum, Element) -> Sum
    ) -> SharedSequence<SharingStrategy, Sum> {
        SharedSequence(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Emits the elements of all sequences that `selector` returns, as they arrive.
    ///
    ///     source                      --1-----3----|
    ///     flatMap { x, then 10x }     --1--10-3--30|
    ///
    /// The inner sequences, and so the result, may have another strategy. It completes when this sequence and all inner
    /// ones have completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    @preconcurrency
    public func flatMap<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMap { selector($0).asObservable() })
    }

    /// Emits the elements of the latest sequence that `selector` returned; a new one cancels the one before.
    ///
    ///     source          --a-------b------>
    ///     selector(a)       -1--2--3--4-->
    ///     selector(b)               -5--6-->
    ///     result          ---1--2----5--6-->
    ///
    /// The inner sequences, and so the result, may have another strategy. It completes when this sequence and the
    /// latest inner one have completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    @preconcurrency
    public func flatMapLatest<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMapLatest { selector($0).asObservable() })
    }

    /// Emits the elements of a sequence that `selector` returns, and drops elements that arrive while one is running.
    ///
    ///     source                          --1-3-----5----|
    ///     flatMapFirst { x, then 10x }    --1--10---5--50|
    ///
    /// The inner sequences, and so the result, may have another strategy. It completes when this sequence and the
    /// running inner one have completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    @preconcurrency
    public func flatMapFirst<Strategy, Result>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence(asObservable().flatMapFirst { selector($0).asObservable() })
    }
}
