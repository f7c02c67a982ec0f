extension ObservableType {
    /// Runs the sequence of `selector` for each element, at most `maxConcurrent` at a time, and queues the others.
    ///
    ///     source                          --a---b---c--|
    ///     a1a2  b1b2  c1c2                  a1---a2|   b1---b2|…
    ///     flatMap(maxConcurrent: 1)       --a1---a2b1---b2c1---c2|
    ///
    /// Completes when all have completed. Fails with the first error of any, or that `selector` throws; that disposes
    /// the others.
    /// `selector` is called on the source's thread, and the observer on the threads of the sequences, by one thread at a
    /// time.
    ///
    /// - Parameters:
    ///   - maxConcurrent: the number of sequences that run at the same time. A number that is not positive traps.
    ///   - selector: returns the sequence for an element.
    /// - Complexity: Holds the sequences that are queued, without bound.
    @preconcurrency
    @inlinable
    public func flatMap<Source: ObservableConvertibleType & SendableMetatype>(
        maxConcurrent: Int, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        precondition(
            maxConcurrent > 0, "flatMap(maxConcurrent:_:): the limit must be positive, but is \(maxConcurrent)")
        return asObservable().flatMap(.flatMap, maxConcurrent: maxConcurrent) { try selector($0).asObservable() }
    }
}

extension Observable {
    /// `flatMap(maxConcurrent:_:)`, counted and recorded as `operation`.
    @inlinable
    func flatMap<Result>(
        _ operation: Operator, maxConcurrent: Int,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Result>
    ) -> Observable<Result> {
        if isScalar { return .redirecting(operation, self, selector) }
        return .source(operation) {
            LimitedMergeRun(operation, limit: maxConcurrent, into: $0).run(self, selector)
        }
    }
}
