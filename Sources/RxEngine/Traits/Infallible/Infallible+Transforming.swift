extension InfallibleType {
    /// Emits the result of `transform` for each element.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    ///
    /// Completes with the source. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> Infallible<Result> {
        Infallible<Result>(asObservable().map(transform))
    }

    /// Emits the result of `transform` for each element and drops `nil`.
    ///
    ///     source                      --1--x--3--|
    ///     compactMap { Int($0) }      --1-----3--|
    ///
    /// Completes with the source. `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) -> Result?) -> Infallible<Result> {
        Infallible<Result>(asObservable().compactMap(transform))
    }

    /// Emits the elements of all sequences that `selector` returns, as they arrive.
    ///
    ///     source                      --1-----3----|
    ///     flatMap { x, then 10x }     --1--10-3--30|
    ///
    /// It completes when this sequence and all inner ones have completed. An error of an inner sequence goes to
    /// ``Hooks/defaultErrorHandler`` and completes that one alone.
    /// Elements are delivered one at a time, on the threads that emit them; see ``ObservableType/merge()``.
    @preconcurrency
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMap(ErrorReportingClosure(selector).make))
    }

    /// Emits the elements of the latest sequence that `selector` returned; a new one cancels the one before.
    ///
    ///     source                          --1-3--------|
    ///     flatMapLatest { x, then 10x }   --1-3--30----|
    ///
    /// It completes when this sequence and the latest inner one have completed. An error of an inner sequence goes to
    /// ``Hooks/defaultErrorHandler`` and completes that one alone.
    /// Elements are delivered on the threads that emit them.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMapLatest(ErrorReportingClosure(selector).make))
    }

    /// Emits the elements of a sequence that `selector` returns, and drops elements that arrive while one is running.
    ///
    ///     source                          --1-3-----5----|
    ///     flatMapFirst { x, then 10x }    --1--10---5--50|
    ///
    /// It completes when this sequence and the running inner one have completed. An error of an inner sequence goes to
    /// ``Hooks/defaultErrorHandler`` and completes that one alone.
    /// Elements are delivered on the threads that emit them.
    @preconcurrency
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().flatMapFirst(ErrorReportingClosure(selector).make))
    }

    /// Emits the elements of the sequences that `selector` returns, one sequence after the other.
    ///
    ///     source                      --1-3---------|
    ///     concatMap { x, then 10x }   --1--10-3--30-|
    ///
    /// It completes when this sequence and the last inner one have completed. An error of an inner sequence goes to
    /// ``Hooks/defaultErrorHandler`` and completes that one alone.
    /// `selector` is called for each element at once. Elements are delivered on the threads that emit them.
    ///
    /// - Complexity: queues the elements of this sequence without bound while an inner one is running.
    @preconcurrency
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().concatMap(ErrorReportingClosure(selector).make))
    }

    /// Runs the sequences of `selector` at the same time, and emits their elements one after the other.
    ///
    ///     source                              --1-3------|
    ///     x, then 10x                           1--10|
    ///                                             3--30|
    ///     concatMapEager { x, then 10x }      --1--10330-|
    ///
    /// It completes when this sequence and all inner ones have completed. An error of an inner sequence goes to
    /// ``Hooks/defaultErrorHandler`` and completes that one alone.
    /// `selector` is called for each element at once. Elements are delivered one at a time, on the threads that emit
    /// them, or on the thread that completes the sequence before.
    ///
    /// - Complexity: queues the elements of the inner sequences without bound until those before have completed.
    ///
    /// - Parameters:
    ///   - maxConcurrent: the number of sequences at the same time. A number that is not positive traps. Default: no
    ///     limit.
    ///   - selector: returns the sequence for an element.
    @preconcurrency
    @inlinable
    public func concatMapEager<Source: ObservableConvertibleType>(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible<Source.Element>(
            asObservable().concatMapEager(maxConcurrent: maxConcurrent, ErrorReportingClosure(selector).make))
    }

    /// Accumulates the elements and emits each intermediate result.
    ///
    ///     source                                  --1--2--3--|
    ///     scan(0, accumulator: { $0 + $1 })       --1--3--6--|
    ///
    /// Completes with the source. `accumulator` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func scan<Seed>(
        _ seed: Seed, accumulator: @escaping @Sendable (Seed, Element) -> Seed
    ) -> Infallible<Seed> {
        Infallible<Seed>(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Accumulates the elements in place and emits each intermediate result.
    ///
    ///     source                              --a----b------c------|
    ///     scan(into: "") { $0 += $1 }         --a----ab-----abc----|
    ///
    /// Completes with the source. `accumulator` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func scan<Seed>(
        into seed: Seed, accumulator: @escaping @Sendable (inout Seed, Element) -> Void
    ) -> Infallible<Seed> {
        Infallible<Seed>(asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Emits each element with `object`, which is not retained.
    ///
    /// It completes at the first element after the object is deallocated.
    /// Otherwise it completes with the source, on whose thread the observer is called.
    @inlinable
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Infallible<(Object, Element)> {
        Infallible<(Object, Element)>(asObservable().withUnretained(object))
    }

    /// Emits the result of `resultSelector` for each element and `object`, which is not retained.
    ///
    ///     source                                  --1--2-----3----|
    ///     withUnretained(o) { o, e in … }         --a--b-----|            o is deallocated before 3
    ///
    /// It completes at the first element after the object is deallocated.
    /// Otherwise it completes with the source, on whose thread `resultSelector` and the observer are called.
    @preconcurrency
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Infallible<Result> {
        Infallible<Result>(asObservable().withUnretained(object, resultSelector: { resultSelector($0, $1) }))
    }
}
