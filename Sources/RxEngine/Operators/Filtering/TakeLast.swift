extension ObservableType {
    /// Emits the last `count` elements when the source completes.
    ///
    ///     source          --1--2--3--|
    ///     takeLast(2)     -----------23|
    ///
    /// Completes after them. Fails with the source's error and drops the elements.
    /// The thread that completes the source delivers them.
    ///
    /// - Parameter count: the number of elements. A negative number traps.
    /// - Complexity: Holds up to `count` elements.
    @inlinable
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "takeLast(_:): the count must not be negative, but is \(count)")
        return asObservable().lift(.takeLast, with: count) { TakeLastSink(to: $1, $0) }
    }
}

@usableFromInline
final class TakeLastSink<Element>: OperatorSink<Element, Element> {
    @exclusivity(unchecked) private var last: ReplayBuffer<Element>

    @usableFromInline
    init(to downstream: Sink<Element>, _ count: Int) {
        last = ReplayBuffer(capacity: count)
        super.init(.takeLast, to: downstream)
    }

    deinit {
        _ = last.takeAll()
    }

    @usableFromInline
    override func next(_ element: Element) {
        var evicted = element
        last.exchange(&evicted)
    }

    @usableFromInline
    override func completed() {
        for element in last.elements where live.isActive { downstream.next(element) }
        if live.isActive { downstream.completed() }
    }
}
