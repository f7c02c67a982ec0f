import RxEngine

extension BlockingObservable {
    /// Waits for the end, or for a second element, which disposes the source.
    ///
    ///     --1--|          1
    ///     -----|          throws noElements
    ///     --1--2-->       throws moreThanOneElement
    ///
    /// - Returns: the only element.
    /// - Throws: the error that ended the sequence, or that it has another number of elements.
    public func single() throws -> Element {
        let elements = try elements(.first(2))
        guard let only = elements.first else { throw RxError.noElements }
        guard elements.count == 1 else { throw RxError.moreThanOneElement }
        return only
    }

    /// Waits for the end, or for a second element that satisfies `predicate`, which disposes the source.
    ///
    ///     source                --1--2--3--|
    ///     single { $0 == 2 }    2
    ///
    /// - Returns: the only element that satisfies the predicate.
    /// - Throws: the error that ended the sequence or that the predicate threw, or that another number of elements
    ///   satisfies it.
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        try BlockingObservable(source: source.filter(predicate), timeout: timeout).single()
    }
}
