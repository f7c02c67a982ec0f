extension ObservableType {
    /// Splits this sequence into the elements that satisfy `predicate` and the others.
    ///
    ///     source          --1--2--3--4--|
    ///     matching        -----2-----4--|
    ///     others          --1-----3-----|
    ///
    /// Both share a subscription to this sequence, which begins with the first subscriber and ends with the last one, as
    /// with `share()`. A sequence that emits at once has ended when the second one subscribes, and runs
    /// again for it.
    ///
    /// Both complete and fail with the source, or fail with the error that `predicate` throws. It is called once for
    /// each element, while one of them has a subscriber, on the source's thread, as the observers are.
    ///
    /// - Parameter predicate: whether an element belongs to the first sequence.
    /// - Returns: the two sequences.
    @preconcurrency
    @inlinable
    public func partition(
        _ predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> (matching: Observable<Element>, others: Observable<Element>) {
        let sorted = map { (element: $0, matches: try predicate($0)) }.share()
        return (sorted.filter { $0.matches }.map { $0.element }, sorted.filter { !$0.matches }.map { $0.element })
    }
}
