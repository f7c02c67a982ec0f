import RxEngine

extension BlockingObservable {
    /// Waits for the only element of the sequence. A second element disposes the source.
    ///
    ///     --1--|          1
    ///     -----|          throws noElements
    ///     --1--2-->       throws moreThanOneElement
    ///
    /// - Returns: the only element.
    /// - Throws: the error that ended the sequence, `RxError.noElements`, or `RxError.moreThanOneElement`.
    public func single() throws -> Element {
        let elements = try elements(.first(2))
        guard let only = elements.first else { throw RxError.noElements }
        guard elements.count == 1 else { throw RxError.moreThanOneElement }
        return only
    }

    /// Waits for the only element that satisfies `predicate`. A second one disposes the source.
    ///
    ///     source                --1--2--3--|
    ///     single { $0 == 2 }    2
    ///
    /// `predicate` runs on the source's thread.
    ///
    /// - Parameter predicate: whether to count an element.
    /// - Returns: the only element that satisfies the predicate.
    /// - Throws: the error that ended the sequence or that the predicate threw, `RxError.noElements`, or
    ///   `RxError.moreThanOneElement`.
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        try BlockingObservable(source: source.filter(predicate), timeout: timeout).single()
    }
}
