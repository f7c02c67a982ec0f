extension ObservableType {
    /// The elements of all the sequences that `selector` makes of this one's elements, as they come. Each is subscribed
    /// to at once, however many are running.
    ///
    ///     source                      --1-----3----|
    ///     flatMap { x, then 10x }     --1--10-3--30|
    ///
    /// It ends when this sequence and all that were made have ended, or with the first error, `selector`'s included.
    @preconcurrency
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.flatMap, upstream) { try selector($0).asObservable() } }
        return .source(.flatMap) { Confluence(.flatMap, into: $0).flow(upstream) { try selector($0).asObservable() } }
    }
}
