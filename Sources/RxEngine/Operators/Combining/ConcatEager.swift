extension ObservableType where Element: ObservableConvertibleType {
    /// Runs the sequences that this one emits at the same time, and emits their elements one sequence after the other.
    ///
    ///     a                 --1-----2--|
    ///     b                   --8--9--|
    ///     source            a-b--|
    ///     concatEager()     --1-----2--89|
    ///
    /// It is ``ObservableType/concatMapEager(maxConcurrent:_:)`` with the elements as sequences: it completes when this
    /// sequence and all that it emitted have completed, and fails with the first error.
    /// Elements are delivered one at a time, on the threads that emit them, or on the thread that completes the
    /// sequence before.
    ///
    /// - Parameter maxConcurrent: the number of sequences at the same time. A number that is not positive traps.
    ///   Default: no limit.
    @inlinable
    public func concatEager(maxConcurrent: Int = .max) -> Observable<Element.Element> {
        precondition(
            maxConcurrent > 0, "concatEager(maxConcurrent:): the limit must be positive, but is \(maxConcurrent)")
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.concatEager, upstream) { $0.asObservable() } }
        return .source(.concatEager) {
            EagerConcatRun(.concatEager, limit: maxConcurrent, into: $0).run(upstream) { $0.asObservable() }
        }
    }
}

extension ObservableType {
    /// Runs all these sequences at the same time, and emits their elements one sequence after the other.
    ///
    ///     first             --1-----2--|
    ///     second            --8--9--|
    ///     concatEager       --1-----2--89|
    ///
    /// Completes when all have completed, and fails with the first error of any. The elements of a sequence are queued
    /// without bound until the sequences before it have completed.
    /// Elements are delivered one at a time, on the threads that emit them, or on the thread that completes the
    /// sequence before.
    ///
    /// - Parameters:
    ///   - sources: the sequences.
    ///   - maxConcurrent: the number of sequences at the same time. A number that is not positive traps. Default: no
    ///     limit.
    @inlinable
    public static func concatEager(
        _ sources: some Swift.Collection<Observable<Element>>, maxConcurrent: Int = .max
    ) -> Observable<Element> {
        Observable<Observable<Element>>.from(Array(sources)).concatEager(maxConcurrent: maxConcurrent)
    }

    /// Runs all these sequences at the same time, and emits their elements one sequence after the other.
    ///
    /// Completes when all have completed, and fails with the first error of any.
    /// Elements are delivered one at a time, on the threads that emit them, or on the thread that completes the
    /// sequence before.
    @inlinable
    public static func concatEager(_ sources: Observable<Element>...) -> Observable<Element> {
        concatEager(sources)
    }
}
