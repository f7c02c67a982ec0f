extension ObservableType {
    /// Emits each element, from number `count` on, together with those before it, as arrays of `count` elements.
    ///
    ///     source      --1--2--3--4--|
    ///     nwise(3)    --------123-234-|
    ///
    /// Completes and fails with the source. A source with fewer elements emits nothing.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter count: the number of elements in each array. A number that is not positive traps.
    /// - Complexity: O(*count*) for each element.
    @inlinable
    public func nwise(_ count: Int) -> Observable<[Element]> {
        precondition(count > 0, "nwise(_:): the count must be positive, but is \(count)")
        return buffer(count: count, skip: 1).filter { $0.count == count }
    }
}
