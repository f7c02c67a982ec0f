extension ObservableType {
    /// Emits the elements of all sequences that `selector` makes of the elements, as they arrive.
    ///
    ///     source                      --1-----3----|
    ///     flatMap { x, then 10x }     --1--10-3--30|
    ///
    /// Subscribes to each sequence at once, without a limit on how many run.
    ///
    /// Completes when this sequence and all that `selector` made have completed. Fails with the first error, including
    /// one that `selector` throws. Elements are delivered one at a time, on the threads that emit them; see
    /// ``ObservableType/merge()``.
    /// `selector` runs on the thread of this sequence.
    @preconcurrency
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.flatMap, upstream) { try selector($0).asObservable() } }
        return .source(.flatMap) { MergeRun(.flatMap, into: $0).run(upstream) { try selector($0).asObservable() } }
    }
}
