extension ObservableType {
    /// Emits an element unless another one follows before the sequence of `selector` for it emits.
    ///
    /// A completion of that sequence counts as an element.
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
        flatMapLatest { element in
            try selector(element).asObservable().lift(.debounce, with: element) { DebounceSpanEndSink(to: $1, $0) }
        }
    }
}

/// Emits an element at the end of its span.
@usableFromInline
final class DebounceSpanEndSink<Mark, Element>: SpanEndSink<Mark, Element> {
    private let element: Element

    @usableFromInline
    init(to downstream: Sink<Element>, _ element: Element) {
        self.element = element
        super.init(.debounce, to: downstream)
    }

    override func emit() {
        downstream.next(element)
    }
}
