extension ObservableType {
    /// Tells the last `count` elements, all of them at the end.
    ///
    ///     source          --1--2--3--|
    ///     takeLast(2)     -----------23|
    ///
    /// A negative count traps.
    @inlinable
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "there are no last \(count) elements to take")
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
        var forgotten = element
        last.exchange(&forgotten)
    }

    @usableFromInline
    override func completed() {
        for element in last.elements where live.isActive { downstream.next(element) }
        if live.isActive { downstream.completed() }
    }
}
