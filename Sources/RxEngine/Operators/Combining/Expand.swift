extension ObservableType {
    /// Emits each element, and the elements of the sequence that `selector` returns for it, expanded alike.
    ///
    ///     source                                --1--|
    ///     expand { $0 < 4 ? just(2 * $0) : … }  --124|     and `empty` for 4
    ///
    /// Completes when the source and all selected sequences have completed; an expansion that never ends makes it run
    /// until it is disposed. Fails with the first error of any, or that `selector` throws.
    /// `selector` and the observer are called on the threads of the sequences, the observer by one thread at a time.
    ///
    /// - Parameter selector: returns the sequence that follows from an element.
    /// - Complexity: An element of the *n*th generation passes *n* subscriptions.
    @preconcurrency
    @inlinable
    public func expand(_ selector: @escaping @Sendable (Element) throws -> Observable<Element>) -> Observable<Element> {
        flatMap { element in
            try selector(element).expand(selector).startWith(element)
        }
    }
}
