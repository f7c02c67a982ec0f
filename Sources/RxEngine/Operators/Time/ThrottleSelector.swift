extension ObservableType {
    /// Emits an element, and drops others until the sequence of `selector` for it emits or completes.
    ///
    ///     source                 --1-2-----3--|
    ///     selector(n)              ----x  in each case
    ///     throttle(selector)     --1-------3----|
    ///
    /// Completes when the source and the selected sequence have completed. Fails with the first error of either, or that
    /// `selector` throws.
    /// `selector` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func throttle<Span: ObservableConvertibleType & SendableMetatype>(
        _ selector: @escaping @Sendable (Element) throws -> Span
    ) -> Observable<Element> {
        flatMapFirst { element in
            try selector(element).asObservable().lift(.throttle) {
                SpanEndSink<Span.Element, Element>(.throttle, to: $0)
            }
            .startWith(element)
        }
    }
}
