import RxEngine

// The operators whose closures also receive the index of an element. `enumerated()` replaces them.
extension ObservableType {
    /// Emits the result of `transform` for each element and its index.
    ///
    /// Completes with the source. Fails with the source's error or with the error that `transform` throws. `transform`
    /// and the observer are called on the source's thread.
    @preconcurrency
    public func mapWithIndex<Result>(
        _ transform: @escaping @Sendable (Element, Int) throws -> Result
    ) -> Observable<Result> {
        enumerated().map { try transform($0.element, $0.index) }
    }

    /// Runs the sequence that `selector` returns for each element and its index, side by side.
    ///
    /// Completes when all have completed, and fails with the first error. The observer is called on the threads of these
    /// sequences, by one thread at a time.
    @preconcurrency
    public func flatMapWithIndex<Source: ObservableConvertibleType & SendableMetatype>(
        _ selector: @escaping @Sendable (Element, Int) throws -> Source
    ) -> Observable<Source.Element> {
        enumerated().flatMap { try selector($0.element, $0.index) }
    }

    /// Emits elements while `predicate` returns true for them and their indices, and then completes.
    ///
    /// Fails with the source's error or with the error that `predicate` throws. `predicate` and the observer are called
    /// on the source's thread.
    @preconcurrency
    public func takeWhileWithIndex(
        _ predicate: @escaping @Sendable (Element, Int) throws -> Bool
    ) -> Observable<Element> {
        enumerated().take(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }

    /// Drops elements while `predicate` returns true for them and their indices.
    ///
    /// Completes with the source. Fails with the source's error or with the error that `predicate` throws. `predicate`
    /// and the observer are called on the source's thread.
    @preconcurrency
    public func skipWhileWithIndex(
        _ predicate: @escaping @Sendable (Element, Int) throws -> Bool
    ) -> Observable<Element> {
        enumerated().skip(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }
}
