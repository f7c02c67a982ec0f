extension ObservableType {
    /// Puts each element through `transform` and leaves out what becomes `nil`. An error thrown by it ends the
    /// sequence.
    ///
    ///     source                      --1--x--3--|
    ///     compactMap { Int($0) }      --1-----3--|
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        compactMap(countedAs: .compactMap, transform)
    }

    /// ``compactMap(_:)``, counted as a run of `operation`.
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
