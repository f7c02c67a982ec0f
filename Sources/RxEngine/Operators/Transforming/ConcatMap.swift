extension ObservableType {
    /// Emits the elements of the sequences that `selector` makes of the elements, one sequence after the other.
    ///
    ///     source                      --1-3---------|
    ///     concatMap { x, then 10x }   --1--10-3--30-|
    ///
    /// `selector` is called for each element at once. The sequence that it returns is queued without bound until all
    /// sequences before it have completed.
    ///
    /// Completes when this sequence and all that `selector` made have completed. Fails with the first error, including
    /// one that `selector` throws. Elements are delivered on the threads that emit them.
    /// `selector` runs on the thread of this sequence.
    @preconcurrency
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.concatMap, upstream) { try selector($0).asObservable() } }
        return .source(.concatMap) {
            LimitedMergeRun(.concatMap, limit: 1, into: $0).run(upstream) { try selector($0).asObservable() }
        }
    }
}
