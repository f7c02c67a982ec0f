extension ObservableType {
    /// Emits an element only if no other element follows it until the sequence that `selector` returns for it emits or
    /// completes.
    ///
    ///     source                 --1-2-----3--|
    ///     selector(n)              --x  in each case
    ///     debounce(selector)     ------2----3|
    ///
    /// Completes when the source has completed and the last element was emitted. Fails with the first error of the
    /// source or of a selected sequence, or that `selector` throws; that drops the pending element.
    /// `selector` is called on the source's thread, and the observer on the threads of the selected sequences.
    @preconcurrency
    @inlinable
    public func debounce<Span: ObservableConvertibleType & SendableMetatype>(
        _ selector: @escaping @Sendable (Element) throws -> Span
    ) -> Observable<Element> {
        let pending = map { element in (element: element, span: try selector(element).asObservable()) }
        return pending.flatMapLatest { one in one.span.mapTo(()).first().asObservable().mapTo(one.element) }
    }
}
