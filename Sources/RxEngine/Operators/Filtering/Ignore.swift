extension ObservableType where Element: Equatable {
    /// Drops the elements that equal one of these values.
    ///
    ///     source          --1--2--3--1--|
    ///     ignore(1, 3)    -----2--------|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    ///
    /// - Complexity: O(*n*) for each element, with *n* values.
    @inlinable
    public func ignore(_ values: Element...) -> Observable<Element> {
        let step = Step<Element, Element> { element, downstream in
            if !values.contains(element) { downstream.next(element) }
        }
        return asObservable().lift(.filter, with: step) { StepSink(.filter, to: $1, $0) }
    }
}

extension ObservableType {
    /// Drops the elements that satisfy `predicate`: the opposite of ``filter(_:)``.
    ///
    ///     source                     --1--2--3--4--|
    ///     ignoreWhen { $0 > 2 }      --1--2--------|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func ignoreWhen(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        filter { try !predicate($0) }
    }
}
