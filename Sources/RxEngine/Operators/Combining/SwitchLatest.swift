extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of the latest of the sequences that this one tells.
    ///
    ///     a               --1--2--3--|
    ///     b                    .--8----9--|
    ///     source          a----b--------|
    ///     switchLatest    --1-----8----9--|
    ///
    /// When one is told, the one before is disposed and then the new one subscribed to. It ends when this sequence and
    /// the latest have ended, or with the first error.
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.switchLatest, upstream) { $0.asObservable() } }
        return .source(.switchLatest) {
            LatestConfluence(.switchLatest, into: $0).flow(upstream) { $0.asObservable() }
        }
    }
}
