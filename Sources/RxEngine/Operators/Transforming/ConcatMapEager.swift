extension ObservableType {
    /// Runs the sequences of `selector` at the same time, and emits their elements one after the other.
    ///
    ///     source                              --1-3------|
    ///     x, then 10x                           1--10|
    ///                                             3--30|
    ///     concatMapEager { x, then 10x }      --1--10330-|
    ///
    /// `selector` is called for each element at once. The sequence that it returns is subscribed to at once, too,
    /// unless `maxConcurrent` sequences are running or have elements that are not emitted yet; then it is queued
    /// without bound. The elements of a sequence are queued, also without bound, until all sequences before it have
    /// completed.
    ///
    /// Completes when this sequence and all that `selector` made have completed. Fails with the first error of any, in
    /// whatever order they are, or that `selector` throws; that drops the queued elements.
    /// `selector` runs on the thread of this sequence. Elements are delivered one at a time, on the threads that emit
    /// them, or on the thread that completes the sequence before.
    ///
    /// - Parameters:
    ///   - maxConcurrent: the number of sequences at the same time. A number that is not positive traps. Default: no
    ///     limit.
    ///   - selector: returns the sequence for an element.
    @preconcurrency
    @inlinable
    public func concatMapEager<Source: ObservableConvertibleType>(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        precondition(
            maxConcurrent > 0, "concatMapEager(maxConcurrent:_:): the limit must be positive, but is \(maxConcurrent)")
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.concatMapEager, upstream) { try selector($0).asObservable() } }
        return .source(.concatMapEager) {
            EagerConcatRun(.concatMapEager, limit: maxConcurrent, into: $0).run(upstream) {
                try selector($0).asObservable()
            }
        }
    }
}
