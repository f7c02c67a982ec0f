extension ObservableType {
    /// The elements of the sequences that `selector` makes of this one's elements, one sequence after the other.
    ///
    ///     source                      --1-3---------|
    ///     concatMap { x, then 10x }   --1--10-3--30-|
    ///
    /// `selector` is called when an element comes; what it made waits until those before it have ended. It ends when
    /// this sequence and all that were made have ended, or with the first error, `selector`'s included.
    @preconcurrency
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.concatMap, upstream) { try selector($0).asObservable() } }
        return .source(.concatMap) {
            LimitedConfluence(.concatMap, limit: 1, into: $0).flow(upstream) { try selector($0).asObservable() }
        }
    }
}
