extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of the latest sequence that this one has emitted.
    ///
    ///     a               --1--2--3--|
    ///     b                    .--8----9--|
    ///     source          a----b--------|
    ///     switchLatest    --1-----8----9--|
    ///
    /// When this sequence emits a sequence, the previous one is disposed, and then the new one is subscribed to. The
    /// result completes when this sequence and the latest have completed, and fails with the first error. The observer
    /// receives events on the threads on which the sequences emit them, one at a time.
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.switchLatest, upstream) { $0.asObservable() } }
        return .source(.switchLatest) {
            SwitchRun(.switchLatest, into: $0).run(upstream) { $0.asObservable() }
        }
    }
}
