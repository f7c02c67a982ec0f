extension ObservableType {
    /// Lets the first `count` elements through and ends with the last of them.
    ///
    ///     source      --1--2--3--4--|
    ///     take(2)     --1--2|
    ///
    /// `take(0)` ends at once, without subscribing to the source. A negative count traps.
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "there are no \(count) elements to take")
        guard count > 0 else {
            return .source(.take, onTrampoline: false) { sink in
                sink.completed()
                return Disposables.create()
            }
        }
        return asObservable().lift(.take, with: count) { TakeSink(to: $1, $0) }
    }
}

@usableFromInline
final class TakeSink<Element>: OperatorSink<Element, Element> {
    @exclusivity(unchecked) private var remaining: Int

    @usableFromInline
    init(to downstream: Sink<Element>, _ count: Int) {
        remaining = count
        super.init(.take, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard remaining > 0 else { return }
        remaining -= 1
        // Before telling: whoever is told may make the source tell more.
        let isLast = remaining == 0
        downstream.next(element)
        if isLast, live.isActive { downstream.completed() }
    }
}
