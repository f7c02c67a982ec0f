extension ObservableType {
    /// Emits the results of `transform` that are not `nil`.
    ///
    ///     source                      --1--x--3--|
    ///     compactMap { Int($0) }      --1-----3--|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `transform` throws.
    /// `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        compactMap(countedAs: .compactMap, transform)
    }

    /// Does the same as ``compactMap(_:)``, and counts its runs as `operation`.
    @inlinable
    package func compactMap<Result>(
        countedAs operation: Operator, _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        let step = Step<Element, Result> { element, downstream in
            if let result = try transform(element), downstream.live.isActive { downstream.next(result) }
        }
        return asObservable().lift(operation, with: step) { StepSink(operation, to: $1, $0) }
    }
}
