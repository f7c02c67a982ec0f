extension ObservableType {
    /// Drops the first `count` elements.
    ///
    ///     source      --1--2--3--4--|
    ///     skip(2)     --------3--4--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter count: the number of elements to drop. A number that is not positive drops none.
    @inlinable
    public func skip(_ count: Int) -> Observable<Element> {
        asObservable().lift(.skip, with: count) { SkipSink(to: $1, $0) }
    }
}

@usableFromInline
final class SkipSink<Element>: OperatorSink<Element, Element> {
    @exclusivity(unchecked) private var remaining: Int

    @usableFromInline
    init(to downstream: Sink<Element>, _ count: Int) {
        remaining = count
        super.init(.skip, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if remaining <= 0 { return downstream.next(element) }
        remaining -= 1
    }
}
