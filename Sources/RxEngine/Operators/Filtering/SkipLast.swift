extension ObservableType {
    /// Drops the last `count` elements: emits each element when `count` others have followed it.
    ///
    ///     source          --1--2--3--4--|
    ///     skipLast(2)     --------1--2--|
    ///
    /// Completes when the source completes, and fails with its error at once.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter count: the number of elements to drop. A number that is not positive drops none.
    /// - Complexity: Holds up to `count` elements.
    @inlinable
    public func skipLast(_ count: Int) -> Observable<Element> {
        count > 0 ? asObservable().lift(.skipLast, with: count) { SkipLastSink(to: $1, $0) } : asObservable()
    }
}

@usableFromInline
final class SkipLastSink<Element>: OperatorSink<Element, Element> {
    private let count: Int
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ count: Int) {
        self.count = count
        super.init(.skipLast, to: downstream)
    }

    /// Takes the oldest element out before it calls downstream, which may make the source emit the next one at once.
    @usableFromInline
    override func next(_ element: Element) {
        elements.append(element)
        if elements.count > count { downstream.next(elements.removeFirst()) }
    }
}
